import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accounts, password } from '../../support/accounts';
import { freePort } from '../../../src/server/database/embedded/free-port';
import type { ApiResponse, Client } from '../../support/program';

/** The program in a process of its own, which can be killed without a chance to tidy up. */
export interface ServerProcess {
  /** Calls its API as level 1. */
  readonly admin: Client & { stream(path: string, signal: AbortSignal): Promise<OpenStream> };
  /** What it has written so far. */
  said(): string;
  /** Sends a signal, and answers the exit code. */
  stop(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  kill(): Promise<void>;
}

/** A stream of events that was answered. */
export interface OpenStream {
  /** Resolves when it has ended, in order or not. */
  readonly closed: Promise<void>;
}

/** Starts the program on a database, with further settings in `env`. */
export async function startServerProcess(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-process-'));
  const port = await freePort();
  // Built before the tests began, beside the programs of its threads.
  const built = fileURLToPath(new URL('main-server.js', process.env.ASSAY_THREADS));
  const program = spawn(process.execPath, [built], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DEMO: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(program, 'exit').then(([code]) => code as number | null);
  let said = '';
  await new Promise<void>((ready, fail) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Assay is ready')) ready();
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    program.once('exit', (code) => fail(new Error(`The program ended with ${code}:\n${said}`)));
  });

  async function call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const received = (await answer.json()) as T;
    return {
      status: answer.status,
      body: received,
      headers: Object.fromEntries(answer.headers),
    } satisfies ApiResponse<T>;
  }
  const { body } = await call<{ token: string }>('POST', '/login', { email: accounts.admin, password });
  return {
    admin: Object.assign(
      ((method, path, sent) => call(method, path, sent, { authorization: `Bearer ${body.token}` })) as Client,
      {
        async stream(path: string, signal: AbortSignal): Promise<OpenStream> {
          const headers = { authorization: `Bearer ${body.token}` };
          const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { headers, signal });
          const reader = answer.body!.getReader();
          await reader.read();
          const read = async (): Promise<void> => {
            while (!(await reader.read()).done);
          };
          return { closed: read().catch(() => undefined) };
        },
      },
    ),
    said: () => said,
    stop(signal) {
      program.kill(signal);
      return ended;
    },
    async kill() {
      program.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
