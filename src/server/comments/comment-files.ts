import { sql } from 'kysely';
import { realUser } from '../../engine/access/actor';
import { commentFiles } from '../../engine/comments/comment-files';
import { fileKeyOf, type FileValue } from '../../engine/field-types/stored-files';
import type { RecordScope, TransactionScope } from '../access/record-scope';
import type { Database } from '../database/database';
import { BadRequest, Invalid } from '../errors/errors';
import type { Files, StoredFile } from '../files/files';
import { assertAccepted, type Body } from '../records/write/input';
import { getOrThrow } from '../../engine/values/lookups';

/** A file as a client sends it with a comment: as its upload returned it, or as it is in the comment. */
export type SentFile = Pick<FileValue, 'url'> & Partial<FileValue>;

/**
 * Stores a file before the comment that it is for. Only who uploaded it can send it with a comment on a record of this
 * resource, once and within a day. Throws BadRequest unless it is exactly one file, UnsupportedMediaType for an empty one,
 * and what `Files.store` throws.
 */
export async function storeCommentFile(
  { context: { program, actor }, definition }: RecordScope,
  company: number | null,
  { uploads = [] }: Body,
): Promise<FileValue> {
  const [upload] = uploads;
  if (!upload || uploads.length > 1) throw new BadRequest('Send exactly one file, as multipart/form-data.');
  assertAccepted(commentFiles, upload);
  const { key, name, size, type } = await program.files.store(upload, upload.type, {
    resource: definition.name,
    field: commentFiles.name,
    person: realUser(actor).id,
    company,
    isWaiting: true,
  });
  return { name, size, type, url: program.files.signedUrl(key) };
}

/**
 * The files of a comment as they are stored: those that it had, and those that the caller uploaded for it, which nobody
 * can use a second time. Throws Invalid for any other.
 */
export async function claimCommentFiles(
  { context: { actor }, definition, trx }: TransactionScope,
  sentFiles: readonly SentFile[],
  previousFiles: readonly StoredFile[],
): Promise<readonly StoredFile[]> {
  const previousByKey = new Map(previousFiles.map((file) => [file.key, file]));
  const keys = [...new Set(sentFiles.map(({ url }) => fileKeyOf(url)))];
  const newKeys = keys.filter((key) => !previousByKey.has(key));
  if (newKeys.length > 0) {
    const { rows } = await sql<StoredFile>`update assay.files set is_waiting = false, created_at = now()
      where key = any(${newKeys}::text[]) and is_waiting and resource = ${definition.name}
        and field = ${commentFiles.name} and user_id = ${realUser(actor).id}
      returning name, size, type, key`.execute(trx);
    for (const file of rows) previousByKey.set(file.key, file);
  }
  const lostFile = sentFiles.find(({ url }) => !previousByKey.has(fileKeyOf(url)));
  if (lostFile) throw new Invalid({ files: `“${lostFile.name ?? 'A file'}” is no longer there. Add it again.` });
  return keys.map((key) => getOrThrow(previousByKey, key));
}

/** Deletes the files of comments that are gone for good, also with their record, and those that were never sent with one. */
export async function sweepCommentFiles({ database, files }: { database: Database; files: Files }): Promise<void> {
  const batch = 500;
  const usedNames = new Set<string>();
  for (;;) {
    const { rows } = await sql<{ key: string }>`select f.key from assay.files f
      where f.field = ${commentFiles.name}
      and f.created_at < now() - case when f.is_waiting then interval '1 day' else interval '1 hour' end
      and not (f.key = any(${[...usedNames]}::text[]))
      and not exists (select from assay.comments c where c.files @> jsonb_build_array(jsonb_build_object('key', f.key)))
      and not exists (select from assay.deleted_rows d where d.source = 'assay.comments'
        and d.row->'files' @> jsonb_build_array(jsonb_build_object('key', f.key)))
      limit ${batch}`.execute(database.kysely);
    await files.remove(rows.map(({ key }) => key));
    // Files that cannot be deleted now are left for the next sweep.
    for (const { key } of rows) usedNames.add(key);
    if (rows.length < batch) return;
  }
}
