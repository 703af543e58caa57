import { sql } from 'kysely';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import type { StoredFile } from '../files/files';
import type { Program, Hook } from '../program';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertStatement, publishRecordChange } from '../records/write/row-writes';
import { recordSecurityEvent } from '../security-log/security-log';

/** The state of an import: that of its job, except that a job which waits to be resumed counts as running. */
export type ImportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A new entry of the history. */
export interface NewImportEntry {
  readonly type: string;
  readonly company: number | null;
  readonly file: StoredFile;
  readonly fingerprint: string;
  /** The record that was chosen for all records of the file; null if none was requested. */
  readonly chosenRecord: { readonly resource: string; readonly id: number } | null;
}

/** The progress of an import. */
export interface ImportProgress {
  readonly state: ImportState;
  readonly total: number | null;
  readonly imported: number;
  readonly failed: number;
  readonly job: number;
}

/** A previous import of the same file by the same user with the same options. */
export interface PreviousImport {
  readonly at: string;
  readonly state: string;
  readonly imported: number;
}

/** Records imports. */
export interface ImportHistory {
  /** The resource of the history: users who can create its records can import. */
  readonly resource: string;
  /** Creates an entry and returns its id. */
  createEntry(context: RequestContext, trx: Transaction, line: NewImportEntry): Promise<number>;
  /** Saves the progress within a transaction. */
  storeProgress(program: Program, trx: Transaction, id: number, progress: ImportProgress): Promise<void>;
  /** Saves the file with the rejected rows. */
  storeFailedFile(trx: Transaction, id: number, key: string): Promise<void>;
  /** Deletes an entry whose file could not be read. */
  deleteEntry(program: Program, trx: Transaction, id: number): Promise<void>;
  /** The last import with the same fingerprint that is in progress, or that stored something. */
  findPrevious(context: RequestContext, type: string, fingerprint: string): Promise<PreviousImport | undefined>;
}

const resource = 'imports';
const activeStates = new Set(['waiting', 'running']);

/** beforeValidate: only imports write the history. */
export const refuseWritingImports: Hook = async ({ forbid }) =>
  forbid('The import history cannot be changed directly: import a file instead.');

/** beforeDelete: a running import must be cancelled first. */
export const guardImportRemoval: Hook = async ({ previousRow, conflict }) => {
  if (activeStates.has(String(previousRow?.state)) && previousRow?.job_id)
    conflict('This file is being imported: cancel the import first.');
};

/** afterRead: adds short-lived URLs of the files. */
export const addImportFileUrls: Hook = async ({ program, trx, records }) => {
  const ids = records.map((record) => record.id as number);
  const { rows } = await sql<{ id: number; file_key: string | null; failed_key: string | null }>`
    select id, file_key, failed_key from imports where id = any(${ids}::bigint[])`.execute(trx);
  const keys = new Map(rows.map((row) => [row.id, row]));
  const addressOf = (key: string | null | undefined) => (key ? program.files.signedUrl(key) : null);
  for (const record of records) {
    const importRow = keys.get(record.id as number);
    record.file_path = addressOf(importRow?.file_key);
    record.failed_path = addressOf(importRow?.failed_key);
  }
};

/** afterDelete: the files go with their line. */
export const removeImportFile: Hook = async ({ program, trx, previousRow }) => {
  const keys = [previousRow?.file_key, previousRow?.failed_key].filter((key): key is string => typeof key === 'string');
  if (keys.length > 0) program.database.afterCommit(trx, () => void program.files.remove(keys));
};

/**
 * Call at the start: marks imports of versions without jobs as interrupted if their server is gone. A running one held
 * a lock.
 */
export async function endInterruptedImports({ database, definitions }: Program): Promise<void> {
  if (!definitions.registry().get(resource)) return;
  await sql`update imports set state = 'interrupted', updated_at = now() where state = 'running' and job_id is null
    and pg_try_advisory_xact_lock(hashtextextended('import ' || file_key, 0))`.execute(database.kysely);
}

/** The history of imports. */
export const importHistory: ImportHistory = {
  resource,
  async createEntry(context, trx, { type, company, file, fingerprint, chosenRecord }) {
    const { program, registry, actor, now } = context;
    const definition = registry.getOrThrow(resource);
    const stamps = { created_by: actor.id, updated_by: actor.id, created_at: now, updated_at: now };
    const values: ResourceRecord = {
      ...stamps,
      site_id: company,
      type,
      file_name: file.name,
      file_key: file.key,
      fingerprint,
      asked_resource: chosenRecord?.resource ?? null,
      asked_id: chosenRecord?.id ?? null,
      imported: 0,
      failed: 0,
      state: 'waiting',
    };
    const [row] = await program.database.query(insertStatement({ context, definition }, values, 'id'), trx);
    const id = row!.id as number;
    const subjectFields = { resource: type, record_id: id, subject: file.name };
    await recordSecurityEvent(program, { event: 'imported', actor, site_id: company, ...subjectFields }, trx);
    publishRecordChange(program, definition, { ...values, id }, 'created', trx);
    return id;
  },
  async storeProgress(program, trx, id, { state, total, imported: importedCount, failed, job }) {
    const { rows } = await sql<ResourceRecord>`update imports set state = ${state}, total = ${total},
      imported = ${importedCount}, failed = ${failed}, job_id = ${job}, updated_at = now()
      where id = ${id} returning id, site_id`.execute(trx);
    if (rows[0])
      publishRecordChange(program, program.definitions.registry().getOrThrow(resource), rows[0], 'updated', trx);
  },
  async storeFailedFile(trx, id, key) {
    await sql`update imports set failed_key = ${key} where id = ${id}`.execute(trx);
  },
  async deleteEntry(program, trx, id) {
    const { rows } = await sql<ResourceRecord & { file_key: string | null }>`delete from imports where id = ${id}
      returning id, site_id, file_key`.execute(trx);
    const [line] = rows;
    if (!line) return;
    if (line.file_key) program.database.afterCommit(trx, () => void program.files.remove([line.file_key!]));
    publishRecordChange(program, program.definitions.registry().getOrThrow(resource), line, 'deleted', trx);
  },
  async findPrevious({ actor, program }, type, fingerprint) {
    const { rows } = await sql<PreviousImport>`select created_at as at, state, imported from imports
      where created_by = ${actor.id} and fingerprint = ${fingerprint} and type = ${type}
        and (imported > 0 or state in ('waiting', 'running'))
      order by id desc limit 1`.execute(program.database.kysely);
    return rows[0];
  },
};
