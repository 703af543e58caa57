import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Upload } from '../files/upload';
import type { ImportLog } from '../imports/import-file';
import type { Hook } from '../program';
import { insertStatement } from '../records/store';
import { publish } from '../records/publish';
import { holdImport } from './interrupted-imports';

const resource = 'imports';

/** beforeValidate: the history is written by imports alone. */
export const refuseWritingImports: Hook = async ({ refuse }) =>
  refuse('The history of imports is not written by hand: import a file.');

/** afterRead: puts short-lived addresses where the files are. */
export const addressImportFiles: Hook = async ({ program, trx, records }) => {
  const ids = records.map((record) => record.id as number);
  const { rows } = await sql<{ id: number; file_key: string | null }>`
    select id, file_key from imports where id = any(${ids}::integer[])`.execute(trx);
  const keys = new Map(rows.map(({ id, file_key }) => [id, file_key]));
  for (const record of records) {
    const key = keys.get(record.id as number);
    record.file_path = key ? program.files.addressOf(key) : null;
  }
};

/** afterDelete: the file goes with its line. */
export const dropImportFile: Hook = async ({ program, trx, before }) => {
  const key = before?.file_key as string | null;
  if (key) program.database.afterCommit(trx, () => void program.files.remove([key]));
};

/** Begins a line of the history, with the file that was sent; tells how far it is while it grows. */
export async function beginImport(
  context: RequestContext,
  type: string,
  company: number | null,
  file: { upload: Upload; mime: string; total: number },
): Promise<ImportLog> {
  const { program, registry, actor, now } = context;
  const definition = registry.need(resource);
  const stored = await program.files.store(file.upload, file.mime, {
    resource,
    field: 'file_key',
    person: actor.id,
    company,
  });
  const stamps = { created_by: actor.id, updated_by: actor.id, created_at: now, updated_at: now };
  const values: ResourceRecord = {
    ...stamps, site_id: company, type, file_name: stored.name, file_key: stored.key, total: file.total, imported: 0, failed: 0, state: 'running',
  }; // prettier-ignore
  const letGo = await holdImport(program.database, stored.key);
  const [row] = await program.database
    .named(insertStatement(context, definition, values, 'id'))
    .catch(async (error) => {
      await letGo();
      throw error;
    });
  const id = row!.id as number;
  publish(program, definition, { ...values, id }, 'created');
  const write = async (imported: number, failed: number, state: string) => {
    await sql`update imports set imported = ${imported}, failed = ${failed}, state = ${state}, updated_at = now()
      where id = ${id}`.execute(program.database.kysely);
    publish(program, definition, { ...values, id }, 'updated');
  };
  return {
    reached: (imported, failed) => write(imported, failed, 'running'),
    ended: (imported, failed) => write(imported, failed, 'done').finally(letGo),
  };
}
