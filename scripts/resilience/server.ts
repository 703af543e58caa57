import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/server/database/embedded/free-port';
import { demoPassword } from '../../src/product/demo/accounts';
import type { StepContext } from './step';

/** A program from the production build, in its own process. */
export interface RunningServer {
  readonly address: string;
  readonly process: ChildProcess;
  readonly dataDir: string;
  /** Its log, oldest first. */
  readonly log: readonly string[];
  /** Resolves with the exit code once it has ended; null after a signal. */
  readonly exit: Promise<number | null>;
  /** Sends SIGTERM and waits for the end. Returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** Its current and peak memory in megabytes. */
  memory(): { readonly now: number; readonly peak: number };
}

export interface ServerOptions {
  /** By default a folder of the step's own; the same folder again continues on its data. */
  readonly dataDir?: string;
  readonly port?: number;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs it; by default this one. */
  readonly node?: string;
  /** Resolves once the process runs, whether or not it can serve requests. */
  readonly unready?: boolean;
}

let count = 0;

/** Starts a program on demo data and waits until it is ready. It is killed at the end of the step. */
export async function startServer(context: StepContext, options: ServerOptions = {}): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? join(context.folder, `data-${++count}`);
  const child = spawn(options.node ?? process.execPath, ['scripts/start.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DEMO: '1',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  const logFile = join(context.folder, `server-${port}.log`);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log.push(...text.split('\n').filter(Boolean));
      appendFileSync(logFile, text);
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const server: RunningServer = {
    address: `http://127.0.0.1:${port}`,
    process: child,
    dataDir,
    log,
    exit,
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const megabytes = (name: string) =>
        Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024);
      return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
    },
  };
  context.addCleanup(() => server.kill());
  if (!options.unready) await waitUntilReady(server);
  return server;
}

/** Waits until a server is ready. Throws if it ends first, or after a minute. */
export async function waitUntilReady(server: RunningServer): Promise<void> {
  let hasEnded = false;
  void server.exit.then(() => (hasEnded = true));
  for (const limit = Date.now() + 60_000; Date.now() < limit && !hasEnded; await pause(50)) {
    const answer = await fetch(`${server.address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`The server does not start: ${server.log.slice(-3).join(' ')}`);
}

/** A response; status 0 if the connection broke first. */
export interface ServerAnswer<T = unknown> {
  readonly status: number;
  readonly body: T;
  /** Undefined if the connection broke. */
  readonly headers?: Headers;
}

export type ServerClient = <T = unknown>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ServerAnswer<T>>;

/** The token of a demo account. */
export async function fetchToken(address: string, email = 'owner@demo.test'): Promise<string> {
  const answer = await callServer<{ token?: string }>(address, 'POST', '/login', { email, password: demoPassword });
  if (!answer.body?.token)
    throw new Error(`${email} does not sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.token;
}

/** Calls a server as a demo account. */
export async function signIn(address: string, email = 'owner@demo.test'): Promise<ServerClient> {
  const authorization = `Bearer ${await fetchToken(address, email)}`;
  return (method, path, body, headers) => callServer(address, method, path, body, { authorization, ...headers });
}

/** One unauthenticated call with JSON. */
export async function callServer<T = unknown>(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServerAnswer<T>> {
  try {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, headers: answer.headers, body: (isJson && text ? JSON.parse(text) : text) as T };
  } catch {
    return { status: 0, body: undefined as T };
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
