import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Query } from '../records/read/query/list-query';
import { parseExportRequest, parseNamedExportRequest, type ExportRequest } from './export-request';
import { startExport } from './export-stream';

/** Sends a list as a file. `X-Total` is the number of its rows. */
export async function sendExport(
  context: RequestContext,
  definition: Definition,
  query: Query,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendFile(context, definition, parseExportRequest(context, definition, query), reply);
}

/** Sends a list in the shape of a named export. Throws NotFound for a name that the definition does not have. */
export async function sendNamedExport(
  context: RequestContext,
  definition: Definition,
  name: string,
  query: Query,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendFile(context, definition, parseNamedExportRequest(context, definition, name, query), reply);
}

async function sendFile(
  context: RequestContext,
  definition: Definition,
  request: ExportRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { total, bytes } = await startExport(context, definition, request);
  return reply
    .type(request.mediaType)
    .header('Content-Disposition', `attachment; filename="${request.file}"`)
    .header('X-Total', String(total))
    .send(bytes);
}
