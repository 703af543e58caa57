import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { build } from 'vite';
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';

/** A program that owns a database, in a process of its own. */
export interface Owner {
  process: ChildProcess;
  /** The database's address; rejects with what the program said when it ends before. */
  url: Promise<string>;
  /** The exit code. */
  ended: Promise<number | null>;
}

export const NOBODY = 65534;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const folders: string[] = [];
const owners: Owner[] = [];

/** Bundles the program as the production build does, so that it runs with plain Node. */
export async function bundleOwner(): Promise<{ program: string; remove(): void }> {
  // Below node_modules, where it finds its packages.
  const outDir = resolve(`node_modules/.cache/embedded-test-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: join(import.meta.dirname, 'owner.ts'), outDir, emptyOutDir: true },
  });
  return { program: join(outDir, 'owner.js'), remove: () => rmSync(outDir, { recursive: true, force: true }) };
}

/** A new empty folder that nobody else may enter, removed by `cleanUp`. */
export function newFolder(): string {
  const folder = mkdtempSync(join(process.env.EMBEDDED_TEST_DIR ?? tmpdir(), 'embedded-'));
  folders.push(folder);
  return folder;
}

/** How to start the program that owns a database. */
export interface OwnerOptions {
  /** Milliseconds to wait for another program. */
  patience?: number;
  /** Whose program it is; this user's by default. */
  as?: number;
  /** What was committed must outlive a crash of the server. */
  safe?: boolean;
}

let filled: Promise<string> | undefined;

/**
 * A data folder as a first start leaves it, with an empty database: a copy of one that is made once. For tests of what
 * comes later.
 */
export async function startedFolder(): Promise<string> {
  filled ??= (async () => {
    const folder = mkdtempSync(join(process.env.EMBEDDED_TEST_DIR ?? tmpdir(), 'embedded-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await (await startEmbedded({ dataDir: folder, log: silent, fast: true })).stop();
    return folder;
  })();
  const [from, to] = [await filled, newFolder()];
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return to;
}

/** Starts the bundled program on a data folder. */
export function startOwner(program: string, dataDir: string, options: OwnerOptions = {}): Owner {
  const { patience = 15_000, as, safe = false } = options;
  const node = [process.execPath, program, dataDir, String(patience), safe ? 'safe' : 'fast'];
  const [command = '', ...args] = as === undefined ? node : [...takeOn(as, program), ...node];
  const env = { PATH: process.env.PATH, ...(as === undefined ? { HOME: process.env.HOME } : { HOME: dataDir }) };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const url = new Promise<string>((resolveUrl, reject) => {
    child.stdout.once('data', (chunk) => resolveUrl(String(chunk).trim()));
    void ended.then(() => reject(new Error(said.trim())));
  });
  url.catch(() => {});
  const owner = { process: child, url, ended };
  owners.push(owner);
  return owner;
}

/** Kills what still runs and removes all folders. */
export async function cleanUp(): Promise<void> {
  for (const owner of owners) owner.process.kill('SIGTERM');
  await Promise.all(owners.splice(0).map(({ ended }) => ended));
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Runs one statement and answers its rows. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The id of the database server's main process on a data folder. */
export function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** The id of the process that watches over a server (on Linux). */
export function supervisorOf(server: number): number {
  return Number(readFileSync(`/proc/${server}/stat`, 'utf8').split(') ').pop()?.split(' ')[1]);
}

/** True while a process runs. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Where the checkout or Node lies in a private folder, the other user is let in to read, and to nothing else.
function takeOn(uid: number, program: string): string[] {
  const identity = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const reaches = spawnSync(identity[0] ?? '', [...identity.slice(1), process.execPath, '--check', program]);
  if (reaches.status === 0) return identity;
  const mayRead = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return [...identity, '--securebits=+no_setuid_fixup', ...mayRead];
}
