import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { startProgram, type BenchProgram } from './program';
import { insertRows, type TestRows } from './rows';

/** A program on demo data and a number of test rows. */
export interface Site {
  readonly program: BenchProgram;
  readonly url: string;
  readonly client: pg.Client;
  readonly rows: TestRows;
}

/** Everything that is measured: the same program on a small and on a large table, in one PostgreSQL. */
export interface Stage {
  readonly small: Site;
  readonly large: Site;
  /** PostgreSQL's own log. */
  readonly logFile: string;
  close(): Promise<void>;
}

export const sizes = { small: 10_000, large: 100_000 } as const;

const quiet = { info: () => undefined, warn: console.warn, error: console.error };

/** Builds what is stale, starts an embedded PostgreSQL in a temporary folder and the programs on it. */
export async function openStage(): Promise<Stage> {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed.');
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const opened: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    while (opened.length > 0) await opened.pop()!();
  };
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: quiet });
    opened.push(() => embedded.stop());
    const small = await openSite(embedded.url, 'small', folder, opened);
    const large = await openSite(embedded.url, 'large', folder, opened);
    return { small, large, logFile: join(folder, 'pg.log'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSite(
  server: string,
  size: keyof typeof sizes,
  folder: string,
  opened: (() => unknown)[],
): Promise<Site> {
  const url = new URL(server);
  const first = new pg.Client({ connectionString: server });
  await first.connect();
  await first.query(`create database bench_${size} template template0`);
  await first.end();
  url.pathname = `/bench_${size}`;
  const program = await startProgram(url.href, join(folder, size));
  opened.push(() => program.stop());
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  opened.push(() => client.end());
  return { program, url: url.href, client, rows: await insertRows(client, sizes[size]) };
}
