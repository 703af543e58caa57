import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Binaries, findBinaries } from './binaries';
import { checkVersion, createCluster, giveCluster, USER } from './cluster';
import { connectWhenReady } from './connect';
import { EmbeddedError } from './embedded-error';
import { lockFolder } from './folder-lock';
import { freePort } from './free-port';
import { endLeftover } from './leftover';
import type { Log } from './log';
import { openOutputFile } from './output-file';
import { serverParameters } from './parameters';
import { readPassword } from './password';
import { chooseRunAs, invoke, type RunAs } from './run-as';
import { supervise, type Supervised } from './supervisor';

/** How to start the embedded database. */
export interface EmbeddedOptions {
  /** The program's data folder; it is made when missing, and no second program may use it at the same time. */
  dataDir: string;
  log: Log;
  /** For tests: quicker, and not safe when the machine crashes. */
  fast?: boolean;
  /** How long to wait for another program to leave the data folder, in milliseconds. */
  patience?: number;
}

/** The running embedded database. */
export interface Embedded {
  /** `postgres://…` with user and password. */
  url: string;
  /** Stops the server, waits until it has ended, and leaves the data folder. Close every connection first. */
  stop(): Promise<void>;
}

const READY_LIMIT = 60_000;
const ATTEMPTS = 5;
// The port was taken meanwhile, or processes of a server that was killed are about to end.
const WORTH_A_RETRY =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file ".*" already exists/;

/**
 * Starts the PostgreSQL that npm installed, on the data in `dataDir/pg` (made at the first start), reachable from this
 * machine alone. It ends with this process, however that ends. Throws an EmbeddedError, whose message is one line.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, fast = false, patience = 15_000 } = options;
  const dataDir = resolve(options.dataDir);
  const binaries = findBinaries();
  makeFolder(dataDir);
  const lock = await lockFolder(dataDir, log, patience);
  try {
    const pgFolder = join(dataDir, 'pg');
    const runAs = chooseRunAs(binaries, pgFolder);
    const password = await prepare(dataDir, pgFolder, binaries, runAs, fast);
    await endLeftover(pgFolder, log);
    const { server, url } = await serve(dataDir, pgFolder, password, binaries, runAs, fast, log);
    return { url, stop: stopOnce(server, lock.release, log) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (error) {
    throw new EmbeddedError(`Cannot create the data folder ${dataDir}: ${(error as Error).message}`);
  }
}

async function prepare(dataDir: string, pgFolder: string, binaries: Binaries, runAs: RunAs, fast: boolean) {
  const exists = existsSync(pgFolder);
  const password = readPassword(dataDir, exists);
  if (!exists) {
    await createCluster(pgFolder, password, binaries, runAs, fast);
    return password;
  }
  checkVersion(pgFolder);
  if (runAs.uid !== undefined && statSync(pgFolder).uid !== runAs.uid) giveCluster(pgFolder, runAs);
  return password;
}

async function serve(
  dataDir: string,
  pgFolder: string,
  password: string,
  binaries: Binaries,
  runAs: RunAs,
  fast: boolean,
  log: Log,
): Promise<{ server: Supervised; url: string }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const parameters = Object.entries(serverParameters(port, fast)).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const stopCommand = process.platform === 'win32' ? [binaries.pgCtl, 'stop', '-m', 'fast', '-D', pgFolder] : [];
    const output = openOutputFile(dataDir);
    const server = supervise(
      invoke(runAs, binaries.postgres, ['-D', pgFolder, ...parameters]),
      stopCommand,
      output.handle,
    );
    output.close();
    const gone = new AbortController();
    void server.ended.then(() => gone.abort(new Error('it ended while it was starting')));
    try {
      const url = await connectWhenReady(
        `postgres://${USER}:${password}@127.0.0.1:${port}`,
        log,
        READY_LIMIT,
        gone.signal,
      );
      return { server, url };
    } catch (error) {
      await server.stop();
      const said = output.read();
      if (attempt < ATTEMPTS && WORTH_A_RETRY.test(said)) continue;
      throw new EmbeddedError(`The database does not start: ${reason(said, error)} (more in ${output.path})`);
    }
  }
}

function reason(said: string, error: unknown): string {
  const fatal = said.split('\n').filter((line) => /FATAL|PANIC|error/i.test(line));
  return fatal.pop()?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? (error as Error).message;
}

function stopOnce(server: Supervised, release: () => void, log: Log): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  void server.ended.then(() => {
    if (!stopped) log.error('The embedded database has ended by itself; its messages are in pg.log of the data folder');
  });
  return () => (stopped ??= server.stop().finally(release));
}
