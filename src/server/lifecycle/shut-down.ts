import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Front } from '../http/front';

/** What is stopped, in the order of the fields. */
export interface ShutDown {
  readonly front: Front;
  /** Milliseconds for which new connections are still taken, so that balancers notice first. */
  readonly delay: number;
  /** Ends streams of events. */
  endStreams(): Promise<unknown>;
  /** Stops what runs by itself: mail, jobs, timers. */
  stopWork(): Promise<unknown>;
  /** Asks the database to cancel the statements that run. */
  cancelStatements(): void;
  /** Closes everything else, the database last. */
  stopProgram(): Promise<unknown>;
  readonly log: Logger;
}

/** Milliseconds after the delay at which each step begins that ends what has not ended by itself. */
const cancelAfter = 6_000;
const cutAfter = 8_000;
const leaveAfter = 9_500;
const cancelEvery = 200;

/**
 * Stops the program within ten seconds after its delay, whatever runs: first nobody is sent here any more, then what is
 * being done is finished, then statements are cancelled, then connections are cut. Settles in any case.
 */
export async function shutDown(parts: ShutDown): Promise<void> {
  const { front, delay, log } = parts;
  front.health.stopping();
  front.discourage();
  log.info('Assay is stopping');
  if (delay > 0) await wait(delay);
  const leave = new AbortController();
  const late = wait(leaveAfter, 'late' as const, { signal: leave.signal }).catch(() => 'in time' as const);
  if ((await Promise.race([inOrder(parts), late])) === 'late') {
    log.warn('Something did not stop within ten seconds and is left to end by itself');
  }
  leave.abort();
  log.info('Assay has stopped');
}

async function inOrder(parts: ShutDown): Promise<void> {
  const { front, log } = parts;
  const begun = Date.now();
  const cancelling = setInterval(() => {
    if (Date.now() - begun < cancelAfter) return;
    parts.cancelStatements();
  }, cancelEvery);
  const steps = [front.drain(cutAfter), parts.endStreams(), parts.stopWork()];
  for (const outcome of await Promise.allSettled(steps)) told(outcome, log);
  const [outcome] = await Promise.allSettled([parts.stopProgram()]);
  told(outcome, log);
  clearInterval(cancelling);
}

function told(outcome: PromiseSettledResult<unknown>, log: Logger): void {
  if (outcome.status === 'rejected')
    log.error({ err: outcome.reason as Error }, 'A part of Assay did not stop in order');
}
