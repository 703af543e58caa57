import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Proof } from './proof';

/** Calls that are repeated on so many connections, by a process of its own. */
export interface LoadOptions {
  readonly address: string;
  /** What is asked for in turns, below `/api`. */
  readonly paths: readonly string[];
  /** Who asks in turns. */
  readonly tokens: readonly string[];
  readonly connections: number;
  /** Milliseconds between an answer and the next call on a connection; by default none. */
  readonly pause?: number;
}

/** What became of the calls; times in milliseconds. */
export interface LoadResult {
  /** How many calls were answered with each status; 0: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of calls that were answered with 200. */
  readonly half: number;
  readonly p99: number;
  readonly slowest: number;
  /** What is neither 200 nor 503 with Retry-After, in words; at most ten. */
  readonly failures: readonly string[];
}

export interface Load {
  /** What was done so far. */
  stop(): Promise<LoadResult>;
}

/** Begins to call, and goes on until it is stopped. */
export async function startLoad(proof: Proof, options: LoadOptions): Promise<Load> {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), [JSON.stringify(options)]);
  const ended = new Promise<never>((_done, fail) =>
    child.once('exit', () => fail(new Error('the load ended by itself'))),
  );
  ended.catch(() => undefined);
  proof.after(() => child.kill('SIGKILL'));
  const next = <T>() =>
    Promise.race([new Promise<T>((done) => child.once('message', (message) => done(message as T))), ended]);
  await next();
  return {
    async stop() {
      const result = next<LoadResult>();
      child.send('stop');
      return result;
    },
  };
}

/** `200: 1,234, 503: 56`. */
export function countsOf({ statuses }: LoadResult): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count.toLocaleString('en')}`)
    .join(', ');
}
