import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StepContext } from './step';

/** Repeats calls on a number of connections, from its own process. */
export interface LoadOptions {
  readonly address: string;
  /** The paths to request in turns, below `/api`; each `*` becomes a text that nobody asked for before. */
  readonly paths: readonly string[];
  /** The tokens to use in turns. */
  readonly tokens: readonly string[];
  readonly connections: number;
  /** Milliseconds between a response and the next call on a connection; default: none. */
  readonly pause?: number;
  /** Makes a new connection for each call. */
  readonly reconnect?: boolean;
}

/** The results of the calls; times in milliseconds. */
export interface LoadResult {
  /** The number of responses per status; 0: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of responses with status 200. */
  readonly half: number;
  readonly p99: number;
  readonly slowest: number;
  /** Of responses with status 503: 99 % within. */
  readonly refusedWithin: number;
  /** Responses that are neither 200 nor 503 with Retry-After, as text; at most ten. */
  readonly failures: readonly string[];
}

export interface Load {
  readonly process: ChildProcess;
  /** The results so far. */
  stop(): Promise<LoadResult>;
}

/** Starts the calls, which continue until stopped. */
export async function startLoad(context: StepContext, options: LoadOptions): Promise<Load> {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), [JSON.stringify(options)]);
  const exit = new Promise<never>((_done, fail) =>
    child.once('exit', () => fail(new Error('the load ended by itself'))),
  );
  exit.catch(() => undefined);
  context.addCleanup(() => child.kill('SIGKILL'));
  const next = <T>() =>
    Promise.race([new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T))), exit]);
  await next();
  return {
    process: child,
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
