import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const startLimit = 90_000;
const copied = ['dist', 'resources', 'schemas', 'package.json'];

/** A running program of its own: where it answers, the folder with its definitions and data, and its end. */
export interface Program {
  url: string;
  folder: string;
  stop(): Promise<void>;
}

/**
 * Starts the built program on demo data, in a folder of its own with copies of the definitions, which a test may edit,
 * and of the build, which somebody may make anew while the tests run. Settings are those of the environment.
 */
export async function startProgram(settings: Readonly<Record<string, string>> = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  for (const part of copied) cpSync(resolve(part), join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  const port = await freePort();
  const program = spawn(process.execPath, [join(folder, 'dist/server/main-server.js')], {
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
  const ended = new Promise<void>((done) => program.once('exit', () => done()));
  const url = `http://localhost:${port}`;
  await ready(program, url);
  const stop = async () => {
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, folder, stop };
}

/** Waits for the line in which the program says that it is ready. */
function ready(program: ChildProcess, url: string): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    const limit = setTimeout(
      () => fail(new Error(`The program was not ready in ${startLimit / 1000} s:\n${output}`)),
      startLimit,
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

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
