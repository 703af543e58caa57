import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { Conflict, HttpError, NotFound } from '../errors/errors';
import { exportTypes } from '../exports/export-types';
import type { Job } from '../jobs/job';
import type { Program } from '../program';
import type { ImportResult } from './import-job';

/** Answers an import to whoever waited for it: its outcome, or the rows that were refused as a file. Throws HttpError. */
export async function sendOutcome(
  reply: FastifyReply,
  { files }: Program,
  definition: Definition,
  { state, result, message, repeatable }: Job,
): Promise<FastifyReply> {
  if (state === 'cancelled') throw new Conflict(message ?? 'Cancelled.');
  if (state === 'failed') {
    if (!repeatable) return reply.code(422).type('application/json; charset=utf-8').send({ success: false, message });
    throw new HttpError(500, 'INTERNAL', message ?? 'This could not be finished.');
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
