import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Disk } from 'flydrive';
import pg from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { formerSteps, migrations } from '../database/migrations';
import { schemaLockKey } from '../database/schema-lock';
import { ArchiveError, readAll, readArchive, type ArchiveEntry } from './archive';
import { copyTarget, isEmpty, type Manifest } from './backup';
import { itemAt, requireValue } from '../../engine/values/lookups';

/** The counts of restored tables, rows and files. */
export interface RestoreCounts {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** When the backup was created. */
  readonly created_at: string;
}

/**
 * Restores a backup into an empty database and its file storage in one transaction: if anything fails, the database
 * stays empty and the files are deleted again. Throws an ArchiveError if the archive is invalid, and an Error if the
 * database is not empty.
 */
export async function restoreBackup(databaseUrl: string, disk: Disk, path: string): Promise<RestoreCounts> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'assay-restore' });
  client.on('error', () => undefined);
  await client.connect();
  const storedFiles: string[] = [];
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; begin');
    // A server that starts meanwhile waits, instead of creating the same tables.
    await client.query(`select pg_advisory_xact_lock(${schemaLockKey})`);
    if (!(await isEmpty(client))) {
      throw new Error('The database already holds data. Restore into an empty one, or move this data away first.');
    }
    const restorer = new Restorer(client, disk, storedFiles);
    await readArchive(path, (entry) => restorer.restoreEntry(entry));
    const figures = await restorer.complete(path);
    await client.query('commit');
    await client.query('analyze');
    return figures;
  } catch (error) {
    // Closing the connection rolls back its transaction, even during a COPY.
    await client.end().catch(() => undefined);
    for (const key of storedFiles) await disk.delete(key).catch(() => undefined);
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Restores the entries of a backup in order. */
class Restorer {
  private manifest: Manifest | undefined;
  private copying: { at: number; stream: CopyStreamQuery } | undefined;
  private rows = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly disk: Disk,
    private readonly files: string[],
  ) {}

  async restoreEntry({ name, size, content }: ArchiveEntry): Promise<void> {
    const [kind, first = '', second] = name.split('/');
    if (!this.manifest && kind !== 'manifest.json') throw new ArchiveError('This is not a backup of this program.');
    if (kind === 'manifest.json') await this.begin(await readAll(content));
    else if (kind === 'tables' && second === 'rows') await this.endTable(Number(first), Number(await readAll(content)));
    else if (kind === 'tables') await this.addRows(Number(first), content);
    else if (kind === 'files') await this.addFile(first, size, content);
    else throw new ArchiveError(`The backup contains ${name}, which this version does not support.`);
  }

  async complete(path: string): Promise<RestoreCounts> {
    if (!this.manifest) throw new ArchiveError(`${path} is not a backup of this program.`);
    const { after: statementsAfter, tables, created_at } = this.manifest;
    for (const statement of statementsAfter) await this.client.query(statement);
    return { tables: tables.length, rows: this.rows, files: this.files.length, created_at };
  }

  private async begin(text: Buffer): Promise<void> {
    const manifest = JSON.parse(text.toString()) as Manifest;
    if (manifest.format !== 1)
      throw new ArchiveError('The backup was created by a newer version: install that version first.');
    const knownMigrations = new Set([
      ...migrations.map(({ name }) => name),
      ...formerSteps(new Set(manifest.migrations)),
    ]);
    const unknown = manifest.migrations.filter((name) => !knownMigrations.has(name));
    if (unknown.length > 0) {
      throw new ArchiveError(
        `The backup was created by a newer version (it has ${unknown.join(', ')}): install that version first.`,
      );
    }
    for (const statement of manifest.before) await this.client.query(statement);
    this.manifest = manifest;
  }

  private async addRows(tableIndex: number, content: AsyncIterable<Buffer>): Promise<void> {
    const stream = this.streamInto(tableIndex);
    for await (const chunk of content) if (!stream.write(chunk)) await waitForDrain(stream);
  }

  private async endTable(tableIndex: number, expectedRows: number): Promise<void> {
    const stream = this.streamInto(tableIndex);
    stream.end();
    await once(stream, 'finish');
    this.copying = undefined;
    const { name } = itemAt(requireValue(this.manifest, 'the manifest').tables, tableIndex);
    if (stream.rowCount !== expectedRows) {
      throw new ArchiveError(`The backup contains ${stream.rowCount} rows of ${name} instead of ${expectedRows}.`);
    }
    this.rows += expectedRows;
  }

  private streamInto(tableIndex: number): CopyStreamQuery {
    if (this.copying?.at === tableIndex) return this.copying.stream;
    const table = requireValue(this.manifest, 'the manifest').tables[tableIndex];
    if (this.copying || !table) throw new ArchiveError('The rows of the backup are out of order.');
    const stream = this.client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
    // Its errors are thrown when writing to it, or at its end.
    stream.on('error', () => undefined);
    this.copying = { at: tableIndex, stream };
    return stream;
  }

  private async addFile(key: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    if (!/^[\w.-]+$/.test(key) || key.startsWith('.'))
      throw new ArchiveError(`The backup contains a file with the invalid name ${key}.`);
    this.files.push(key);
    await this.disk.putStream(key, Readable.from(content), { contentLength: size });
  }
}

async function waitForDrain(stream: CopyStreamQuery): Promise<void> {
  if (stream.destroyed) throw stream.errored ?? new Error('The database accepted no further rows.');
  await once(stream, 'drain');
}
