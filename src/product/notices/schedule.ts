import type { Program } from '../../server/program';
import { sendDeadlineReminders } from './deadlines';

/** Milliseconds between two runs: a day begins in some time zone every quarter of an hour. */
const intervalMs = 15 * 60_000;

/** Sends deadline reminders now and periodically. The returned function stops that and waits for a running one. */
export function scheduleDeadlines(program: Program): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running
      .then(async () => void (await sendDeadlineReminders(program)))
      .catch((error: Error) => program.log.warn(`Sending deadline reminders failed: ${error.message}`));
  };
  look();
  const timer = setInterval(look, intervalMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
