import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitForExit, stopProcess } from './processes';
import type { LoggedStatement } from './statement-log';

/** In a parameter, replaced by the name from the request body. */
export const floorName = '{name}';

/** The database and the statements that a floor serves. */
export interface FloorOptions {
  readonly url: string;
  readonly statements: readonly LoggedStatement[];
  /** In a parameter, replaced by the id in the path, or the name in the body. */
  readonly marker: string;
  /** A single record, or all rows. */
  readonly keep: 'one' | 'all';
}

/** A running floor. */
export interface Floor {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a floor in its own process, with the same Node settings as the program. */
export async function startFloor(order: FloorOptions): Promise<Floor> {
  const child = fork(fileURLToPath(new URL('./floor-server.ts', import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const portMessage = new Promise<number>((resolve) => child.once('message', (port) => resolve(port as number)));
  child.send(order);
  const port = await Promise.race([portMessage, waitForExit(child)]);
  if (port === undefined) throw new Error('The floor does not start.');
  return { address: `http://127.0.0.1:${port}`, stop: () => stopProcess(child) };
}
