import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../../src/server/database/embedded/free-port';
import { createScratchFolder } from '../../support/scratch-folder';

const startTimeout = 90_000;
const builtServer = 'dist/server/main-server.js';
const copiedPaths = ['dist', 'system', 'resources', 'examples', 'schemas', 'package.json'];

/** A separate running program: its address, the folder with its definitions and data, and functions to stop it. */
export interface Program {
  url: string;
  folder: string;
  /** Kills it without a clean shutdown, and starts it again on the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the demo data once for all programs that start later, because copying is faster than creating. Returns a
 * function that removes it.
 */
export async function prepareData(): Promise<() => void> {
  const folder = makeFolder();
  const end = await startIn(folder, await freePort());
  await end('SIGTERM');
  process.env.ASSAY_DATA = join(folder, 'data');
  return () => remove(folder);
}

/**
 * Starts the built program with demo data in its own folder, with copies of the definitions, which a test may edit, and of
 * the build, which may be rebuilt while tests run. `settings` are environment variables; with `DEMO: '0'` the database is
 * empty. `server` is another build of the server: that of a product with code.
 */
export async function startProgram(
  settings: Readonly<Record<string, string>> = {},
  server = builtServer,
): Promise<Program> {
  // Another product loads demo data of its own.
  const folder = makeFolder(settings.DEMO !== '0' && settings.ASSAY_PRODUCT === undefined);
  const port = await freePort();
  let end = await startIn(folder, port, settings, server);
  const crash = async () => {
    await end('SIGKILL');
    end = await startIn(folder, port, settings, server);
  };
  const stop = async () => {
    await end('SIGTERM');
    remove(folder);
  };
  return { url: urlOf(port), folder, crash, stop };
}

function makeFolder(hasDemoData = true): string {
  const folder = createScratchFolder('assay-e2e-');
  for (const part of copiedPaths) cpSync(resolve(part), join(folder, part), { recursive: true });
  if (hasDemoData && process.env.ASSAY_DATA) cpSync(process.env.ASSAY_DATA, join(folder, 'data'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
const urlOf = (port: number) => `http://localhost:${port}`;

/** Starts the program in a folder and returns functions that stop it. */
async function startIn(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
  server = builtServer,
): Promise<(signal: 'SIGTERM' | 'SIGKILL') => Promise<void>> {
  const started = spawn(process.execPath, [join(folder, server)], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
      DEMO: '1',
      NODE_ENV: 'development',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => started.once('exit', () => done()));
  await waitUntilReady(started, urlOf(port));
  return async (signal) => {
    started.kill(signal);
    await ended;
  };
}

/** Waits until the program logs that it is ready. */
function waitUntilReady(program: ChildProcess, url: string): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    const limit = setTimeout(
      () => fail(new Error(`The program was not ready in ${startTimeout / 1000} s:\n${output}`)),
      startTimeout,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes(url)) return;
      clearTimeout(limit);
      done();
    };
    program.stdout!.on('data', read);
    program.stderr!.on('data', read);
    program.once('exit', (code) => {
      clearTimeout(limit);
      fail(new Error(`The program stopped with ${code}:\n${output}`));
    });
  });
}
