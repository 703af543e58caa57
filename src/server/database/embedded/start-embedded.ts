import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { toFolderError, createDataFolder } from '../../lifecycle/data-folder';
import { type Binaries, findBinaries } from './binaries';
import { checkVersion, createCluster, changeClusterOwner, USER } from './cluster';
import { waitUntilReady } from './connect';
import { EmbeddedError } from './embedded-error';
import { lockFolder } from './folder-lock';
import { freePort } from './free-port';
import { restartOnExit, type RestartingServer } from './restart-on-exit';
import { stopLeftoverServer } from './leftover-server';
import type { Log } from './log';
import { openOutputFile } from './output-file';
import { serverParameters } from './parameters';
import { readPassword } from './password';
import { chooseRunAs, invocationOf, type RunAs } from './run-as';
import { startSupervised, type SupervisedServer } from './supervisor';

/** Options of the embedded database. */
export interface EmbeddedOptions {
  /** The program's data folder; created if missing. Only one program may use it at a time. */
  dataDir: string;
  log: Log;
  /** For tests: faster, but not crash-safe. */
  fast?: boolean;
  /** How long to wait for another program to leave the data folder, in milliseconds. */
  patience?: number;
}

/** The running embedded database. */
export interface EmbeddedServer extends Pick<RestartingServer, 'restarts' | 'failed'> {
  /** `postgres://…` with user and password; does not change while the program runs. */
  url: string;
  /** Stops the server, waits until it has ended, and unlocks the data folder. Close all connections first. */
  stop(): Promise<void>;
}

const READY_LIMIT = 60_000;
const ATTEMPTS = 5;
// The port was taken in the meantime, or processes of a killed server are still ending.
const RETRYABLE_OUTPUT =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file ".*" already exists/;

/** The data that every start of the server needs. */
interface Cluster {
  readonly dataDir: string;
  readonly pgFolder: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly fast: boolean;
  readonly log: Log;
}

/**
 * Starts the PostgreSQL installed by npm with the data in `dataDir/pg` (created at the first start), accessible from
 * this machine only. It ends with this process, however that ends, and is restarted at the same address if it ends
 * unexpectedly. Throws an EmbeddedError or a StartError with a one-line message.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, fast = false, patience = 15_000 } = options;
  const dataDir = resolve(options.dataDir);
  const binaries = findBinaries();
  createDataFolder(dataDir);
  let release = (): void => undefined;
  try {
    ({ release } = await lockFolder(dataDir, log, patience));
    const pgFolder = join(dataDir, 'pg');
    const runAs = chooseRunAs(binaries, pgFolder);
    const password = await prepareCluster(dataDir, pgFolder, binaries, runAs, fast);
    const cluster: Cluster = { dataDir, pgFolder, password, binaries, runAs, fast, log };
    await stopLeftoverServer(pgFolder, log);
    const { server, url, port } = await startServer(cluster);
    const restartingServer = restartOnExit(server, () => restartServer(cluster, port), log);
    let stopPromise: Promise<void> | undefined;
    return { ...restartingServer, url, stop: () => (stopPromise ??= restartingServer.stop().finally(release)) };
  } catch (error) {
    release();
    throw toFolderError(error, dataDir);
  }
}

/** The old server may still be ending after its supervisor died. */
async function restartServer(cluster: Cluster, port: number): Promise<SupervisedServer> {
  await stopLeftoverServer(cluster.pgFolder, cluster.log);
  return (await startServer(cluster, port)).server;
}

async function prepareCluster(dataDir: string, pgFolder: string, binaries: Binaries, runAs: RunAs, fast: boolean) {
  const exists = existsSync(pgFolder);
  const password = readPassword(dataDir, exists);
  if (!exists) {
    await createCluster(pgFolder, password, binaries, runAs, fast);
    return password;
  }
  checkVersion(pgFolder);
  if (runAs.uid !== undefined && statSync(pgFolder).uid !== runAs.uid) changeClusterOwner(pgFolder, runAs);
  return password;
}

async function startServer(
  { dataDir, pgFolder, password, binaries, runAs, fast, log }: Cluster,
  fixedPort?: number,
): Promise<{ server: SupervisedServer; url: string; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await freePort());
    const parameters = Object.entries(serverParameters(port, fast)).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const stopCommand = process.platform === 'win32' ? [binaries.pgCtl, 'stop', '-m', 'fast', '-D', pgFolder] : [];
    const output = openOutputFile(dataDir);
    const server = startSupervised(
      invocationOf(runAs, binaries.postgres, ['-D', pgFolder, ...parameters]),
      stopCommand,
      output.handle,
    );
    output.close();
    const goneController = new AbortController();
    void server.ended.then(() => goneController.abort(new Error('it ended while it was starting')));
    try {
      const url = await waitUntilReady(
        `postgres://${USER}:${password}@127.0.0.1:${port}`,
        log,
        READY_LIMIT,
        goneController.signal,
      );
      return { server, url, port };
    } catch (error) {
      await server.stop();
      const serverOutput = output.read();
      if (attempt < ATTEMPTS && RETRYABLE_OUTPUT.test(serverOutput)) {
        await wait(100 * attempt);
        continue;
      }
      throw new EmbeddedError(
        `The database does not start: ${failureReason(serverOutput, error)} (more in ${output.path})`,
      );
    }
  }
}

function failureReason(serverOutput: string, error: unknown): string {
  if (/No space left on device/i.test(serverOutput)) return 'its disk is full: free some space';
  const fatal = serverOutput.split('\n').filter((line) => /FATAL|PANIC|error/i.test(line));
  return fatal.pop()?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? (error as Error).message;
}
