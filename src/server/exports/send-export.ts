import type { FastifyReply } from 'fastify';
import type { RecordScope } from '../access/record-scope';
import type { Query } from '../records/read/query/list-query';
import { parseExportRequest, parseNamedExportRequest, type ExportRequest } from './export-request';
import { startExport } from './export-stream';

/** Sends a list as a file. `X-Total` is the number of its rows. */
export async function sendExport(scope: RecordScope, query: Query, reply: FastifyReply): Promise<FastifyReply> {
  const { context, definition } = scope;
  return sendFile(scope, parseExportRequest(context, definition, query), reply);
}

/** Sends a list in the shape of a named export. Throws NotFound for a name that the definition does not have. */
export async function sendNamedExport(
  { context, definition }: RecordScope,
  name: string,
  query: Query,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const scope = { context, definition };
  return sendFile(scope, parseNamedExportRequest(scope, name, query), reply);
}

async function sendFile(
  { context, definition }: RecordScope,
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
