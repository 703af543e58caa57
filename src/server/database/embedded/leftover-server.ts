import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error';
import type { Log } from './log';
import { commandLineOf, isAlive, processIds } from './process-identity';

const GRACE_PERIOD = 20_000;
const LIMIT = 60_000;

/**
 * Stops a PostgreSQL that still runs on `pgFolder` although its program is gone (the caller holds the data folder's
 * lock, so it belongs to nobody), and waits until it has ended. Removes a postmaster.pid that can't be read or whose id
 * belongs to another process by now, because PostgreSQL would refuse to start; PostgreSQL itself removes that of a dead
 * process. Throws an EmbeddedError if it does not end within a minute.
 */
export async function stopLeftoverServer(pgFolder: string, log: Log): Promise<void> {
  const file = join(pgFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const recordedPid = postmasterPid(file);
  // After a machine crash the file may be empty or garbled, and nothing is running; if somebody edited it, something
  // may be.
  const pid = recordedPid ?? processIds().find((processId) => isPostmasterOf(processId, pgFolder));
  if (pid === undefined || (isAlive(pid) && !isPostmasterOf(pid, pgFolder))) {
    if (recordedPid === undefined) log.warn(`${file} could not be read and was removed`);
    rmSync(file, { force: true });
    return;
  }
  if (!isAlive(pid)) return;
  log.warn(`A database process (${pid}) was left running on ${pgFolder}; stopping it`);
  const startTime = Date.now();
  sendSignal(pid, 'SIGINT', pgFolder);
  for (let isForced = false; isAlive(pid); await wait(50)) {
    const elapsed = Date.now() - startTime;
    if (elapsed > LIMIT) throw new EmbeddedError(`The database process ${pid} on ${pgFolder} does not stop`);
    if (elapsed > GRACE_PERIOD && !isForced) {
      sendSignal(pid, 'SIGQUIT', pgFolder);
      isForced = true;
    }
  }
}

function postmasterPid(file: string): number | undefined {
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isPostmasterOf(pid: number, pgFolder: string): boolean {
  const commandLine = commandLineOf(pid);
  return commandLine.includes('postgres') && commandLine.includes(pgFolder);
}

function sendSignal(pid: number, signal: NodeJS.Signals, pgFolder: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return;
    throw new EmbeddedError(`The database process ${pid} on ${pgFolder} belongs to another user: stop it first`);
  }
}
