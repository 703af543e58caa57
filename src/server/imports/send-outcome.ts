import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { Conflict, HttpError, NotFound } from '../errors/errors';
import { exportTypes } from '../exports/export-types';
import type { Job } from '../jobs/job';
import type { Program } from '../program';
import type { ImportResult } from './import-job';

/**
 * Sends the outcome of an import to a client that waited for it: the result, or the rejected rows as a file. Throws
 * HttpError.
 */
export async function sendOutcome(
  reply: FastifyReply,
  { files }: Program,
  definition: Definition,
  { state, result, message, repeatable }: Job,
): Promise<FastifyReply> {
  if (state === 'cancelled') throw new Conflict(message ?? 'Cancelled.');
  if (state === 'failed') {
    if (!repeatable) return reply.code(422).type('application/json; charset=utf-8').send({ success: false, message });
    throw new HttpError(500, 'INTERNAL', message ?? 'The import could not be completed.');
  }
  const { imported, failed, file } = result as ImportResult;
  if (!file) return reply.type('application/json; charset=utf-8').send({ success: true, message, imported });
  const content = await files.open(file.key);
  if (!content) throw new NotFound();
  return reply
    .header('X-Imported', String(imported))
    .header('X-Failed', String(failed))
    .type(exportTypes.xlsx)
    .header('Content-Disposition', `attachment; filename="failed_imports_${definition.name}.xlsx"`)
    .send(content);
}
