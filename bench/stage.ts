import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { growDemo } from './grow-demo';
import { fillDatabase } from './growth/fill';
import { startProgram, type BenchProgram } from './program';
import { insertRows, type TestRows } from './rows';

/** A program and its database. */
export interface BenchDatabase {
  readonly program: BenchProgram;
  readonly url: string;
  readonly client: pg.Client;
}

/** A program on demo data and a number of test rows. */
export interface BenchSite extends BenchDatabase {
  readonly rows: TestRows;
}

/** The environment of all measurements: programs on databases of one PostgreSQL, each created on first use. */
export interface BenchStage {
  /** The demo data and a number of projects. */
  site(size: keyof typeof sizes): Promise<BenchSite>;
  /** The large demo. */
  demo(): Promise<BenchDatabase>;
  /** The demo data with copies of it, up to a number of test cases. */
  grownDatabase(testCases: number): Promise<BenchDatabase>;
  /** Creates a database without a program, and gives its URL. */
  emptyDatabase(name: string): Promise<string>;
  /** PostgreSQL's own log. */
  readonly logFile: string;
  /** For data folders of further programs. */
  readonly folder: string;
  close(): Promise<void>;
}

export const sizes = { small: 10_000, large: 100_000 } as const;

const quiet = { info: () => undefined, warn: console.warn, error: console.error };

/** Builds outdated parts and starts an embedded PostgreSQL in a temporary folder. */
export async function openStage(): Promise<BenchStage> {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed.');
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    while (closers.length > 0) await closers.pop()!();
  };
  const promises = new Map<string, Promise<unknown>>();
  const remember = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    if (!promises.has(name)) promises.set(name, make());
    return promises.get(name) as Promise<T>;
  };
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: quiet });
    closers.push(() => embedded.stop());
    const open = async (name: string, prepare: (url: string) => Promise<void> = async () => undefined) => {
      const url = await createDatabase(embedded.url, `bench_${name}`);
      await prepare(url);
      const program = await startProgram(url, join(folder, name));
      closers.push(() => program.stop());
      const client = await connect(url);
      closers.push(() => client.end());
      return { program, url, client };
    };
    return {
      site: (size) =>
        remember(size, async () => {
          const database = await open(size);
          return { ...database, rows: await insertRows(database.client, sizes[size]) };
        }),
      grownDatabase: (testCases) =>
        remember(`grown_${testCases}`, () =>
          open(`grown_${testCases}`, async (url) => {
            await (await startProgram(url, join(folder, `fill-${testCases}`))).stop();
            console.log(`Filling ${testCases.toLocaleString('en')} test cases`);
            await fillDatabase(url, testCases);
          }),
        ),
      emptyDatabase: (name) => createDatabase(embedded.url, `bench_${name}`),
      demo: () => remember('demo', () => open('demo', (url) => growDemo(url, join(folder, 'demo')))),
      logFile: join(folder, 'pg.log'),
      folder,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createDatabase(server: string, name: string): Promise<string> {
  const first = await connect(server);
  await first.query(`create database ${name} template template0`);
  await first.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
