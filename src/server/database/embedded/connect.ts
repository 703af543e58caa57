import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { USER } from './cluster';
import type { Log } from './log';

const DATABASE = 'assay';
const STARTING = '57P03';
const NO_SUCH_DATABASE = '3D000';

/** The URL of the program's database on an embedded server. */
export function embeddedAddress(password: string, port: number): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * Waits until the server at `address` (a URL without a database) accepts requests, including while it replays its log
 * after a crash, and creates the program's database if necessary. Returns its URL. Throws after `limit` milliseconds,
 * or when `signal` reports that the server has ended.
 */
export async function waitUntilReady(address: string, log: Log, limit: number, signal: AbortSignal): Promise<string> {
  const url = `${address}/${DATABASE}`;
  const startTime = Date.now();
  for (let isLogged = false; ; await wait(25)) {
    signal.throwIfAborted();
    try {
      await run(url, 'select 1');
      return url;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === NO_SUCH_DATABASE) await run(`${address}/postgres`, `create database ${DATABASE}`);
      else if (!isStarting(error) || Date.now() - startTime > limit) throw error;
    }
    if (!isLogged && Date.now() - startTime > 3_000) {
      log.info('The database is starting; after a crash it replays its log first');
      isLogged = true;
    }
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

function isStarting(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  const starting = [STARTING, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
  return starting.includes(code ?? '') || /terminated unexpectedly|timeout/i.test(message);
}
