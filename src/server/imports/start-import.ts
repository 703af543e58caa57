import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { importContextField } from '../../engine/imports/context-field';
import { normaliseHeading } from '../../engine/imports/headings';
import { formatInstant } from '../../engine/formats/dates';
import type { RequestContext } from '../access/request-context';
import { exportTypes } from '../exports/export-types';
import { confirmedUntil } from '../accounts/session/identity-confirmation';
import type { Job } from '../jobs/job';
import { importKindName, type ImportInput, type ImportResult } from './import-job';
import type { ImportHistory, PreviousImport } from './import-history';
import type { ImportRequest } from './import-request';
import { detectFileKind } from './reading/sheet-file';
import { Conflict, HttpError, NotFound } from '../errors/errors';
import type { Program } from '../program';

/** The media types of stored files, by their content. */
const mediaTypes = { xlsx: exportTypes.xlsx, xls: 'application/vnd.ms-excel', csv: 'text/csv' } as const;

/** Identifies an import: a hash of the file's content and the options, independent of its name. */
export async function importFingerprint(
  definition: Definition,
  { upload, mapping, meanings, sheet, given, empty, formats, unknown, split }: ImportRequest,
): Promise<string> {
  const sorted = (values: object) => Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  const values = sorted(meanings).map(([heading, of]) => [normaliseHeading(heading), sorted(of as object)]);
  // Unset options are left out, so that files imported before these options existed are still recognised.
  const said: object[] = values.length > 0 || sheet !== null ? [{ values, sheet }] : [];
  if (empty === 'clear') said.push({ empty });
  if (Object.keys(formats).length > 0) said.push({ formats: sorted(formats) });
  if (unknown === 'empty') said.push({ unknown });
  if (split) said.push({ split });
  return createHash('sha256')
    .update(JSON.stringify([definition.name, sorted(mapping), sorted(given), ...said]))
    .update(await upload.bytes())
    .digest('hex');
}

/** The question before the same file is imported again. */
export function repeatQuestion(
  { labels }: Definition,
  { at, imported, state }: PreviousImport,
  timeZone: string,
): string {
  const count = `${imported.toLocaleString('en')} ${(imported === 1 ? labels.one : labels.many).toLowerCase()}`;
  const open = state === 'waiting' || state === 'running';
  if (open) return `This file is already being imported, since ${formatInstant(at, timeZone)}. Import it again?`;
  return `This file was imported on ${formatInstant(at, timeZone)} (${count}). Import it again?`;
}

/** Stores the file, the history entry and the job, which starts afterwards. */
export async function startImport(
  context: RequestContext,
  history: ImportHistory,
  definition: Definition,
  { upload, mapping, meanings, memory, sheet, given, company, empty, formats, unknown, split, seenAt }: ImportRequest,
  fingerprint: string,
): Promise<Job> {
  const { program, actor, knownZone } = context;
  const { name: type } = definition;
  const file = await program.files.store(upload, mediaTypes[detectFileKind(await upload.bytes())], {
    resource: history.resource,
    field: 'file_key',
    person: actor.id,
    company,
  });
  const field = importContextField(actor, definition);
  const chosen = field && given[field.name];
  const asked = field?.to !== undefined && typeof chosen === 'number' ? { resource: field.to, id: chosen } : null;
  try {
    return await program.database.transaction(async (trx) => {
      const line = await history.createEntry(context, trx, { type, company, file, fingerprint, chosenRecord: asked });
      const input: ImportInput = {
        type,
        file: file.key,
        name: file.name,
        mapping,
        meanings,
        memory,
        sheet,
        given,
        company,
        empty,
        formats,
        unknown,
        split,
        seenAt,
        ...(knownZone !== undefined && { timeZone: knownZone }),
        line,
        proven: confirmedUntil(actor) !== undefined,
      };
      const title = `${file.name} (${definition.labels.many})`;
      const job = await program.jobs.enqueue(trx, {
        kind: importKindName,
        title,
        site_id: company,
        user_id: actor.id,
        input,
      });
      await history.storeProgress(program, trx, line, {
        state: 'waiting',
        total: null,
        imported: 0,
        failed: 0,
        job: job.id,
      });
      return job;
    });
  } catch (error) {
    await program.files.remove([file.key]);
    throw error;
  }
}

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
  const { imported, failed, file, changed, unchanged, files: taken, files_left_out } = result as ImportResult;
  const existing = {
    ...(changed !== undefined && { changed }),
    ...(unchanged !== undefined && { unchanged }),
    ...(taken !== undefined && { files: taken, files_left_out }),
  };
  if (!file)
    return reply.type('application/json; charset=utf-8').send({ success: true, message, imported, ...existing });
  const content = await files.open(file.key);
  if (!content) throw new NotFound();
  return reply
    .header('X-Imported', String(imported))
    .header('X-Failed', String(failed))
    .type(exportTypes.xlsx)
    .header('Content-Disposition', `attachment; filename="failed_imports_${definition.name}.xlsx"`)
    .send(content);
}
