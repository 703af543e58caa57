import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error';
import type { Log } from './log';
import type { Supervised } from './supervisor';

/** A server that is started again when it ends by itself. */
export interface KeptServer {
  restarts(): number;
  /** Settles when the server has ended too often and is not started again; never once it was asked to stop. */
  readonly failed: Promise<EmbeddedError>;
  stop(): Promise<void>;
}

const most = 3;
const window = 10 * 60_000;
/** Milliseconds before the first restart of a window, the second, the third. */
const usualPauses = [100, 2_000, 10_000];

/**
 * Starts a server again by `start` whenever it ends without having been asked to, at most three times within ten minutes:
 * what ends more often is not cured by it. A start that fails counts as one.
 */
export function keepRunning(
  first: Supervised,
  start: () => Promise<Supervised>,
  log: Log,
  pauses: readonly number[] = usualPauses,
): KeptServer {
  const stopping = new AbortController();
  const times: number[] = [];
  let current = first;
  let restarts = 0;
  let giveUp: (error: EmbeddedError) => void;
  const failed = new Promise<EmbeddedError>((done) => (giveUp = done));

  async function watch(): Promise<void> {
    for (;;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      while (times.length > 0 && times[0]! < Date.now() - window) times.shift();
      if (times.length >= most) {
        giveUp(
          new EmbeddedError(
            `The embedded database has ended by itself ${most + 1} times within ten minutes and is not started again; the reason is in pg.log of the data folder`,
          ),
        );
        return;
      }
      times.push(Date.now());
      restarts++;
      log.error(
        `The embedded database has ended by itself and is started again (${times.length} of ${most} times within ten minutes)`,
      );
      await wait(pauses[times.length - 1], undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        current = await start();
        if (stopping.signal.aborted) return void (await current.stop());
        log.info('The embedded database is running again');
      } catch (error) {
        log.error((error as Error).message);
      }
    }
  }

  const watching = watch();
  return {
    restarts: () => restarts,
    failed,
    async stop() {
      stopping.abort();
      await current.stop();
      // One that is being started meanwhile is stopped there.
      await watching;
    },
  };
}
