import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ListeningServer } from './listening-server';

/** The parts of the program to stop, in the order of the fields. */
export interface ShutdownSteps {
  readonly front: ListeningServer;
  /** How long new connections are still accepted, in milliseconds, so that load balancers notice first. */
  readonly delay: number;
  /** Ends event streams. */
  endStreams(): Promise<unknown>;
  /** Stops background work: mail, jobs, timers. */
  stopWork(): Promise<unknown>;
  /** Asks the database to cancel running statements. */
  cancelStatements(): void;
  /** Closes everything else, the database last. */
  stopProgram(): Promise<unknown>;
  readonly log: Logger;
}

/** When each forced step starts, in milliseconds after the delay. */
const cancelAfter = 6_000;
const disconnectAfter = 8_000;
const giveUpAfter = 9_500;
const cancelEvery = 200;

/**
 * Stops the program within ten seconds after its delay: first no new requests are accepted, then running work may
 * finish, then statements are cancelled, then connections are closed. Never rejects.
 */
export async function shutDown(parts: ShutdownSteps): Promise<void> {
  const { front, delay, log } = parts;
  front.health.markStopping();
  front.closeAfterResponse();
  log.info('Assay is stopping');
  if (delay > 0) await wait(delay);
  const leave = new AbortController();
  const deadline = wait(giveUpAfter, 'late' as const, { signal: leave.signal }).catch(() => 'in time' as const);
  if ((await Promise.race([runSteps(parts), deadline])) === 'late') {
    log.warn('Something did not stop within ten seconds and was abandoned');
  }
  leave.abort();
  log.info('Assay has stopped');
}

async function runSteps(parts: ShutdownSteps): Promise<void> {
  const { front, log } = parts;
  const startTime = Date.now();
  const cancelling = setInterval(() => {
    if (Date.now() - startTime < cancelAfter) return;
    parts.cancelStatements();
  }, cancelEvery);
  const steps = [front.drain(disconnectAfter), parts.endStreams(), parts.stopWork()];
  for (const outcome of await Promise.allSettled(steps)) logFailure(outcome, log);
  const [outcome] = await Promise.allSettled([parts.stopProgram()]);
  logFailure(outcome, log);
  clearInterval(cancelling);
}

function logFailure(outcome: PromiseSettledResult<unknown>, log: Logger): void {
  if (outcome.status === 'rejected')
    log.error({ err: outcome.reason as Error }, 'A part of Assay did not stop cleanly');
}
