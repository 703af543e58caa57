import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import pino, { type Logger } from 'pino';
import { embeddedAddress } from '../database/embedded/connect';
import { startEmbedded } from '../database/embedded/start-embedded';
import { openStorage } from '../files/storage';
import { readSettings, type Settings } from '../settings/settings';
import { createBackup } from './backup';
import { restoreBackup } from './restore';

const usage = {
  backup: 'npm run backup -- FILE, as in npm run backup -- assay.backup',
  restore: 'npm run restore -- FILE, as in npm run restore -- assay.backup',
};

/**
 * `npm run backup` and `npm run restore`: the database and the files of the settings as one archive. Returns the exit
 * code; errors are printed in one line.
 */
export async function runCommand(
  name: 'backup' | 'restore',
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new Error(`Usage: ${usage[name]}`);
    const settings = readSettings(env);
    await (name === 'backup' ? runBackup(settings, resolve(file)) : runRestore(settings, resolve(file)));
    return 0;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}

async function runBackup(settings: Settings, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} already exists: choose another name, or move it away first.`);
  if (!settings.databaseUrl && !existsSync(join(settings.dataDir, 'pg'))) {
    throw new Error(
      `There is no database in ${settings.dataDir}: set DATA_DIR or DATABASE_URL to the one that Assay uses.`,
    );
  }
  const log = openLog();
  const { url, stop } = await openSettingsDatabase(settings, log);
  try {
    const {
      tables,
      rows,
      files,
      missing: missingFiles,
    } = await createBackup(url, await openStorage(settings, log), path);
    console.log(`${path}: ${rows} rows of ${tables} tables and ${files} files.`);
    if (missingFiles.length > 0) {
      console.error(
        `${missingFiles.length} files that the database refers to are missing in the storage: ${missingFiles.join(', ')}`,
      );
    }
  } finally {
    await stop();
  }
}

async function runRestore(settings: Settings, path: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} does not exist.`);
  const log = openLog();
  const { url, stop } = await openSettingsDatabase(settings, log, true);
  try {
    const { tables, rows, files, created_at } = await restoreBackup(url, await openStorage(settings, log), path);
    console.log(`Restored the backup of ${created_at}: ${rows} rows of ${tables} tables and ${files} files.`);
  } finally {
    await stop();
  }
}

/**
 * Opens the database of the settings: the server's, or the embedded one, which is started unless it is already running.
 */
async function openSettingsDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Settings,
  log: Logger,
  isExclusive = false,
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (databaseUrl !== undefined) return { url: databaseDirectUrl ?? databaseUrl, stop: async () => undefined };
  const runningUrl = isExclusive ? undefined : await runningDatabaseUrl(dataDir);
  if (runningUrl !== undefined) return { url: runningUrl, stop: async () => undefined };
  return startEmbedded({ dataDir, log });
}

/** The URL of the embedded database while a program runs it; otherwise undefined. */
async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  let port: number;
  let password: string;
  try {
    port = Number(readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[3]);
    password = readFileSync(join(dataDir, 'pg.password'), 'utf8').trim();
  } catch {
    return undefined;
  }
  const url = embeddedAddress(password, port);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function openLog(): Logger {
  return pino({ level: 'warn' }, pino.destination(2));
}
