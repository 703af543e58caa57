import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Query } from '../records/query/list-query';
import { parseExportRequest } from './export-request';
import { startExport } from './export-stream';

/** Sends a list as a file. `X-Total` is the number of its rows. */
export async function sendExport(
  context: RequestContext,
  definition: Definition,
  query: Query,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const request = parseExportRequest(context, definition, query);
  const { total, bytes } = await startExport(context, definition, request);
  return reply
    .type(request.mediaType)
    .header('Content-Disposition', `attachment; filename="${request.file}"`)
    .header('X-Total', String(total))
    .send(bytes);
}
