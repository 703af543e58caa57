import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error';
import type { Log } from './log';
import type { SupervisedServer } from './supervisor';
import { firstOf } from '../../../engine/values/lookups';

/** A server that is restarted when it ends unexpectedly. */
export interface RestartingServer {
  restarts(): number;
  /** Resolves when the server has ended too often and is not restarted; never after it was asked to stop. */
  readonly failed: Promise<EmbeddedError>;
  stop(): Promise<void>;
}

const maxRestarts = 3;
const restartWindow = 10 * 60_000;
/** Milliseconds before the first restart of a window, the second, the third. */
const restartPauses = [100, 2_000, 10_000];

/**
 * Restarts a server with `start` whenever it ends unexpectedly, at most three times within ten minutes: restarting
 * doesn't help against more. A failed start counts too.
 */
export function restartOnExit(
  first: SupervisedServer,
  start: () => Promise<SupervisedServer>,
  log: Log,
  pauses: readonly number[] = restartPauses,
): RestartingServer {
  const stopController = new AbortController();
  const times: number[] = [];
  let current = first;
  let restarts = 0;
  let giveUp: (error: EmbeddedError) => void;
  const failed = new Promise<EmbeddedError>((resolve) => (giveUp = resolve));

  async function watch(): Promise<void> {
    for (;;) {
      await current.ended;
      if (stopController.signal.aborted) return;
      while (times.length > 0 && firstOf(times) < Date.now() - restartWindow) times.shift();
      if (times.length >= maxRestarts) {
        giveUp(
          new EmbeddedError(
            `The embedded database has ended unexpectedly ${maxRestarts + 1} times within ten minutes and is not restarted; the reason is in pg.log in the data folder`,
          ),
        );
        return;
      }
      times.push(Date.now());
      restarts++;
      log.error(
        `The embedded database has ended unexpectedly and is being restarted (${times.length} of ${maxRestarts} times within ten minutes)`,
      );
      await wait(pauses[times.length - 1], undefined, { signal: stopController.signal }).catch(() => undefined);
      if (stopController.signal.aborted) return;
      try {
        current = await start();
        if (stopController.signal.aborted) return void (await current.stop());
        log.info('The embedded database is running again');
      } catch (error) {
        log.error((error as Error).message);
      }
    }
  }

  const watchLoop = watch();
  return {
    restarts: () => restarts,
    failed,
    async stop() {
      stopController.abort();
      await current.stop();
      // A server that is starting meanwhile is stopped there.
      await watchLoop;
    },
  };
}
