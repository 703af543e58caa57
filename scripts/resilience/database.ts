import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { findBinaries } from '../../src/server/database/embedded/binaries';
import { createCluster, USER } from '../../src/server/database/embedded/cluster';
import { waitUntilReady } from '../../src/server/database/embedded/connect';
import { environment } from '../../src/server/database/embedded/environment';
import { freePort } from '../../src/server/database/embedded/free-port';
import { serverParameters } from '../../src/server/database/embedded/parameters';
import { chooseRunAs, invocationOf, startFolder } from '../../src/server/database/embedded/run-as';
import { valueTypes } from '../../src/server/database/value-parsers';
import type { StepContext } from './step';

/** A PostgreSQL server for the step, separate from the programs that use it. */
export interface RunningDatabase {
  readonly url: string;
  /** Runs a statement on its own connection. */
  query<T extends object = object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Restarts it at the same address, and waits until it accepts connections. */
  start(): Promise<void>;
  /** A fast shutdown: every connection gets 57P01. */
  stop(): Promise<void>;
  /** SIGKILL to all of its processes at once. */
  kill(): Promise<void>;
  /** SIGSTOP to all of its processes: connections stay open without responses. */
  freeze(): void;
  thaw(): void;
}

const password = 'assay-resilience';
const startLimit = 60_000;

/** Starts a packaged PostgreSQL, for programs that are given its address as DATABASE_URL. */
export async function startDatabase(
  context: StepContext,
  { folder = join(context.folder, 'database') }: { folder?: string } = {},
): Promise<RunningDatabase> {
  const log = pino({ level: 'silent' });
  const binaries = findBinaries();
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'pg');
  const runAs = chooseRunAs(binaries, data);
  await createCluster(data, password, binaries, runAs, false);
  const port = await freePort();
  const parameters = Object.entries(serverParameters(port, false)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const address = `postgres://${USER}:${password}@127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  let exit: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<string> => {
    const { command, args, uid, gid } = invocationOf(runAs, binaries.postgres, ['-D', data, ...parameters]);
    const output = openSync(join(context.folder, 'postgres.log'), 'a');
    server = spawn(command, args, {
      uid,
      gid,
      cwd: startFolder(),
      env: environment(),
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const aborter = new AbortController();
    exit = new Promise((resolve) => server!.once('exit', resolve));
    void exit.then(() => aborter.abort(new Error('PostgreSQL ended while it was starting')));
    return waitUntilReady(address, log, startLimit, aborter.signal);
  };
  const signal = (name: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    for (const pid of familyOf(server.pid!)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const stop = async () => {
    server?.kill('SIGINT');
    await exit;
  };
  const kill = async () => {
    signal('SIGKILL');
    await exit;
  };
  const url = await start();
  context.addCleanup(kill);
  return {
    url,
    start: async () => void (await start()),
    stop,
    kill,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async query<T extends object>(text: string, values: readonly unknown[] = []) {
      const client = new pg.Client({
        connectionString: url,
        types: valueTypes,
        options: '-c default_transaction_read_only=off',
      });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows as T[];
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}

/** A process and its children, parents first: a stopped parent starts no new ones. */
function familyOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child)];
}
