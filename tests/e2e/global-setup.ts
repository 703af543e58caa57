import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const startLimit = 90_000;

/**
 * Starts the built program for the browser tests: on demo data, in a folder of its own with a copy of the definitions,
 * so that a test may edit them. The tests find it through `ASSAY_URL` and `ASSAY_FOLDER`.
 */
export default async function startProgram(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  for (const part of ['resources', 'schemas']) cpSync(resolve(part), join(folder, part), { recursive: true });
  const port = await freePort();
  const program = spawn(process.execPath, [resolve('dist/server/main-server.js')], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
      DEMO: '1',
      NODE_ENV: 'development',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => program.once('exit', () => done()));
  const url = `http://localhost:${port}`;
  await ready(program, url);
  process.env.ASSAY_URL = url;
  process.env.ASSAY_FOLDER = folder;
  return async () => {
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Waits for the line in which the program says that it is ready. */
function ready(program: ReturnType<typeof spawn>, url: string): Promise<void> {
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
    program.once('exit', (code) => fail(new Error(`The program stopped with ${code}:\n${output}`)));
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
