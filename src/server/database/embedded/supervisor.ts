import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { environment } from './environment';
import { type Invocation, startFolder } from './run-as';

/** A running database server, as seen by the program that owns it. */
export interface SupervisedServer {
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<void>;
  /** Asks the server to stop, and resolves when it has. */
  stop(): Promise<void>;
}

// The source of a small program, so that it also works from a bundled server. It runs PostgreSQL as its child and has a
// pipe to its owner as stdin: when the owner ends in any way, the system closes the pipe and the program stops
// PostgreSQL.
const SUPERVISOR_SOURCE = `
const { spawn } = require('node:child_process');
const job = JSON.parse(process.argv[1]);
process.title = 'assay-database';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const server = spawn(job.command, job.args, {
  stdio: ['ignore', 'inherit', 'inherit'], uid: job.uid, gid: job.gid, windowsHide: true,
});
server.on('error', (error) => { console.error(error.message); process.exit(1); });
server.on('exit', (code) => process.exit(code ?? 1));
let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  const [command, ...args] = job.stop;
  if (command) spawn(command, args, { stdio: 'ignore', windowsHide: true });
  else server.kill('SIGINT');
  setTimeout(() => server.kill('SIGQUIT'), 30000);
}
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
`;

/**
 * Starts a server that ends when this process does, even after kill -9. Its output goes to the open file `output`;
 * `stop` is the command that stops it on systems without signals, else empty.
 */
export function startSupervised(server: Invocation, stop: string[], output: number): SupervisedServer {
  const job = JSON.stringify({ ...server, stop });
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', SUPERVISOR_SOURCE, job], {
    detached: true,
    stdio: ['pipe', output, output],
    cwd: startFolder(),
    env: environment(),
    windowsHide: true,
  });
  const endPromise = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // Node documents the pipe as a socket; the type is that of any writable stream.
  const pipe = child.stdin as Socket;
  pipe.on('error', () => {});
  // Does not keep the process alive.
  child.unref();
  pipe.unref();
  return {
    ended: endPromise,
    stop: () => {
      child.ref();
      pipe.end();
      return endPromise;
    },
  };
}
