import { spawn, type ChildProcess } from 'node:child_process';
import { freePort } from '../src/server/database/embedded/free-port';
import { demoPassword } from '../src/product/demo/accounts';
import { waitForExit, stopProcess } from './processes';

/** The built program in its own process, with a signed-in company owner. */
export interface BenchProgram {
  readonly address: string;
  readonly token: string;
  /** The sign-in response, as a browser stores it. */
  readonly session: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const LONGEST_START = 240_000;

/**
 * Starts the production build on a database, with demo data, and signs in: that of this folder, or of another `root`.
 * With `preload`, a module that is loaded into the program before it, one can send messages to its process; `env` adds
 * settings.
 */
export async function startProgram(
  databaseUrl: string,
  dataDir: string,
  {
    preload,
    root,
    env = {},
  }: { readonly preload?: string; readonly root?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<BenchProgram> {
  const port = await freePort();
  const options = [...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []), ...(preload ? ['--import', preload] : [])];
  const child = spawn(process.execPath, [...options, 'scripts/start.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DEMO: '1',
      CALLS_PER_MINUTE: '0',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit', ...(preload ? (['ipc'] as const) : [])],
  });
  const address = `http://127.0.0.1:${port}`;
  try {
    await healthy(address, waitForExit(child));
    const session = await signIn(address);
    const { token } = JSON.parse(session) as { token: string };
    return { address, token, session, process: child, stop: () => stopProcess(child) };
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
}

async function healthy(address: string, exit: Promise<void>): Promise<void> {
  const limit = Date.now() + LONGEST_START;
  let hasExited = false;
  void exit.then(() => (hasExited = true));
  while (Date.now() < limit && !hasExited) {
    const answer = await fetch(`${address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The program does not start.');
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@demo.test', password: demoPassword }),
  });
  if (!answer.ok) throw new Error('The demo account does not sign in.');
  return answer.text();
}
