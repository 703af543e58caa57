import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/server/database/embedded/free-port';
import type { StepContext } from './step';
import { pause } from './server';

/** A PgBouncer in front of a database. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts one with the settings of docs/operations.md, as an ordinary user, with few connections to the database. */
export async function startPgBouncer(
  context: StepContext,
  target: string,
  mode: 'session' | 'transaction',
  size: number,
): Promise<PgBouncer> {
  // Not in the folder of the step, which only this user can enter.
  const folder = mkdtempSync(join(tmpdir(), 'assay-pgbouncer-'));
  context.addCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const { hostname, port: server, username, password, pathname } = new URL(target);
  const port = await freePort();
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = ${mode}
max_client_conn = 500
default_pool_size = ${size}
query_wait_timeout = 10
server_idle_timeout = 600
logfile = ${folder}/log
`,
  );
  const ids = process.getuid?.() === 0 ? idsOf('nobody') : undefined;
  if (ids)
    for (const path of [folder, join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')])
      chownSync(path, ids.uid, ids.gid);
  let end: () => Promise<void> = async () => undefined;
  const start = async () => {
    const logDescriptor = openSync(join(folder, 'output'), 'a');
    const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
      ...ids,
      stdio: ['ignore', logDescriptor, logDescriptor],
    });
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    end = async () => {
      child.kill('SIGKILL');
      await exit;
    };
    await listening(port);
  };
  await start();
  context.addCleanup(() => end());
  const url = Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href;
  return { url, start, stop: () => end() };
}

function idsOf(user: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' })));
  return { uid: uid!, gid: gid! };
}

async function listening(port: number): Promise<void> {
  for (const limit = Date.now() + 10_000; Date.now() < limit; await pause(50)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
  }
  throw new Error('PgBouncer does not start');
}
