import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { importContextField } from '../../engine/imports/context-field';
import { normaliseHeading } from '../../engine/imports/headings';
import { formatInstant } from '../../engine/formats/dates';
import type { RecordScope } from '../access/record-scope';
import { exportTypes } from '../exports/export-types';
import { provenUntil } from '../accounts/session/identity-proof';
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
  { upload, mapping, meanings, sheet, givenValues, empty, formats, unknown, split }: ImportRequest,
): Promise<string> {
  const sortEntries = (values: object) => Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1));
  const values = sortEntries(meanings).map(([heading, columnMeanings]) => [
    normaliseHeading(heading),
    sortEntries(columnMeanings as object),
  ]);
  // Unset options are left out, so that files imported before these options existed are still recognised.
  const requestChoices: object[] = values.length > 0 || sheet !== null ? [{ values, sheet }] : [];
  if (empty === 'clear') requestChoices.push({ empty });
  if (Object.keys(formats).length > 0) requestChoices.push({ formats: sortEntries(formats) });
  if (unknown === 'empty') requestChoices.push({ unknown });
  if (split) requestChoices.push({ split });
  return createHash('sha256')
    .update(JSON.stringify([definition.name, sortEntries(mapping), sortEntries(givenValues), ...requestChoices]))
    .update(await upload.bytes())
    .digest('hex');
}

/** The question before the same file is imported again. */
export function repeatQuestion(
  { labels }: Definition,
  { at: importedAt, imported: importedCount, state }: PreviousImport,
  timeZone: string,
): string {
  const count = `${importedCount.toLocaleString('en')} ${(importedCount === 1 ? labels.one : labels.many).toLowerCase()}`;
  const open = state === 'waiting' || state === 'running';
  if (open)
    return `This file is already being imported, since ${formatInstant(importedAt, timeZone)}. Import it again?`;
  return `This file was imported on ${formatInstant(importedAt, timeZone)} (${count}). Import it again?`;
}

/** Stores the file, the history entry and the job, which starts afterwards. */
export async function startImport(
  { context, definition }: RecordScope,
  history: ImportHistory,
  {
    upload,
    mapping,
    meanings,
    memory,
    sheet,
    givenValues,
    company,
    empty,
    formats,
    unknown,
    split,
    seenAt,
  }: ImportRequest,
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
  const contextId = field && givenValues[field.name];
  const chosenRecord =
    field?.to !== undefined && typeof contextId === 'number' ? { resource: field.to, id: contextId } : null;
  try {
    return await program.database.transaction(async (trx) => {
      const line = await history.createEntry(context, trx, { type, company, file, fingerprint, chosenRecord });
      const input: ImportInput = {
        type,
        file: file.key,
        name: file.name,
        mapping,
        meanings,
        memory,
        sheet,
        given: givenValues,
        company,
        empty,
        formats,
        unknown,
        split,
        seenAt,
        ...(knownZone !== undefined && { timeZone: knownZone }),
        line,
        proven: provenUntil(actor) !== undefined,
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
  const {
    imported: importedCount,
    failed,
    file,
    changed: changedCount,
    unchanged: unchangedCount,
    files: storedFileCount,
    files_left_out,
  } = result as ImportResult;
  const existing = {
    ...(changedCount !== undefined && { changed: changedCount }),
    ...(unchangedCount !== undefined && { unchanged: unchangedCount }),
    ...(storedFileCount !== undefined && { files: storedFileCount, files_left_out }),
  };
  if (!file)
    return reply
      .type('application/json; charset=utf-8')
      .send({ success: true, message, imported: importedCount, ...existing });
  const content = await files.open(file.key);
  if (!content) throw new NotFound();
  return reply
    .header('X-Imported', String(importedCount))
    .header('X-Failed', String(failed))
    .type(exportTypes.xlsx)
    .header('Content-Disposition', `attachment; filename="failed_imports_${definition.name}.xlsx"`)
    .send(content);
}
