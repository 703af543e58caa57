import type { Program } from '../../program';
import { tellDeadlines } from './deadlines';

/** Milliseconds between two looks: a day begins in some zone every quarter of an hour. */
const often = 15 * 60_000;

/** Tells of deadlines now and from time to time, until the answer is called; that waits for a look that has begun. */
export function scheduleDeadlines(program: Program): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running
      .then(async () => void (await tellDeadlines(program)))
      .catch((error: Error) => program.log.warn(`Deadlines could not be told: ${error.message}`));
  };
  look();
  const timer = setInterval(look, often);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
