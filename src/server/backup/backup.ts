import type { Disk } from 'flydrive';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { preventFileDeletion } from '../files/deletion-lock';
import { writeArchive, type ArchiveWriter } from './archive';
import { describeSchema, schemas, type SchemaSql, type TableCopy } from './schema-sql';
import { oneRow } from '../database/one-row';

/** The first entry of a backup: what is needed before anything is restored. */
export interface Manifest {
  readonly format: 1;
  readonly created_at: string;
  /** The major version of PostgreSQL that created it. */
  readonly postgresql: number;
  /** The engine's migrations that had been applied. */
  readonly migrations: readonly string[];
  readonly before: readonly string[];
  readonly tables: readonly TableCopy[];
  readonly after: readonly string[];
  readonly files: number;
}

/** The content of a backup. */
export interface BackupCounts {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Keys of files that the database refers to but the storage does not have. */
  readonly missing: readonly string[];
}

/** Bytes of rows per archive entry: rows come as a stream, but entries need their size first. */
const partSize = 4 * 1024 * 1024;

const UNDEFINED_TABLE = '42P01';

/**
 * Writes everything in the database and the file storage into one archive, from one snapshot, while the program runs.
 * Until it is done, publishing cannot change tables, and deleted files stay on disk. Throws if another backup is
 * running.
 */
export async function createBackup(databaseUrl: string, disk: Disk, path: string): Promise<BackupCounts> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'assay-backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await preventFileDeletion(client);
    const schema = await beginSnapshot(client);
    const files = (await client.query<{ key: string }>('select key from assay.files order by key')).rows;
    let figures!: BackupCounts;
    await writeArchive(path, async (archive) => {
      await archive.add('manifest.json', JSON.stringify(await buildManifest(client, schema, files.length)));
      let rows = 0;
      for (const [tableIndex, table] of schema.tables.entries())
        rows += await addRows(client, archive, table, tableIndex);
      const missingFiles = [];
      for (const { key } of files) if (!(await addFile(disk, archive, key))) missingFiles.push(key);
      figures = {
        tables: schema.tables.length,
        rows,
        files: files.length - missingFiles.length,
        missing: missingFiles,
      };
    });
    return figures;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts a read-only transaction and describes the schema in it. Tables are locked against schema changes before the
 * first statement takes the snapshot, since the catalog is partly read outside of the snapshot.
 */
async function beginSnapshot(client: pg.Client): Promise<SchemaSql> {
  for (let attempt = 1; ; attempt++) {
    const names = await tableNames(client);
    await client.query('begin transaction isolation level repeatable read read only');
    try {
      if (names.length > 0) await client.query(`lock table ${names.join(', ')} in access share mode`);
      const schema = await describeSchema(client);
      const tableNames = schema.tables.map(fullName);
      if (tableNames.length === names.length && tableNames.every((name) => names.includes(name))) return schema;
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    }
    // Modules were published in the meantime.
    await client.query('rollback');
    if (attempt === 20) throw new Error('Definitions keep changing. Try again when nobody is publishing.');
  }
}

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'r' and not exists (select from pg_depend d
       where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
    [schemas],
  );
  return rows.map(fullName);
}

function fullName({ schema, name }: { schema: string; name: string }): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

async function buildManifest(client: pg.Client, schema: SchemaSql, files: number): Promise<Manifest> {
  const { rows } = await client.query<{ name: string }>('select name from assay.migrations order by name');
  const version = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  return {
    format: 1,
    created_at: new Date().toISOString(),
    postgresql: oneRow(version).version,
    migrations: rows.map(({ name }) => name),
    ...schema,
    files,
  };
}

/** Adds the rows of a table as entries `tables/<number>/<part>`. Returns the number of rows. */
async function addRows(
  client: pg.Client,
  archive: ArchiveWriter,
  table: TableCopy,
  tableIndex: number,
): Promise<number> {
  const source = client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
  let part = 0;
  let pendingChunks: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    await archive.add(`tables/${tableIndex}/${part++}`, Buffer.concat(pendingChunks));
    [pendingChunks, size] = [[], 0];
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    pendingChunks.push(chunk);
    size += chunk.length;
    if (size >= partSize) await flush();
  }
  await flush();
  await archive.add(`tables/${tableIndex}/rows`, String(source.rowCount));
  return source.rowCount;
}

/** `public.tasks (id, name)`, the target of COPY. */
export function copyTarget(table: TableCopy): string {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  return `${fullName(table)} (${columns})`;
}

/** Adds a file. Returns false if the storage does not have it. */
async function addFile(disk: Disk, archive: ArchiveWriter, key: string): Promise<boolean> {
  if (!(await disk.exists(key))) return false;
  const { contentLength } = await disk.getMetaData(key);
  await archive.addStream(`files/${key}`, contentLength, await disk.getStream(key));
  return true;
}

/** Whether a database has no tables of the program yet, so that a backup can be restored into it. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'v') limit 1`,
    [schemas],
  );
  return rows.length === 0;
}
