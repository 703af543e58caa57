import { sql } from 'kysely';
import type { Program } from '../program';

const day = 24 * 60 * 60 * 1000;
/** Lines that one transaction removes. */
const batch = 10_000;

/** Removes lines that are older than the setting says, some at a time. Answers how many. */
export async function forgetOldLines({ database, settings }: Pick<Program, 'database' | 'settings'>): Promise<number> {
  let all = 0;
  for (;;) {
    const { rows } = await sql<{ gone: number }>`select assay.forget_security_log(
      now() - ${settings.securityLog.days} * interval '1 day', ${batch}) as gone`.execute(database.kysely);
    all += rows[0]!.gone;
    if (rows[0]!.gone < batch) return all;
  }
}

/** Removes old lines now and every day, until the answer is called; that waits for what has begun. */
export function forgetOldLinesDaily(program: Pick<Program, 'database' | 'settings' | 'log'>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const forget = () => {
    running = running
      .then(() => forgetOldLines(program))
      .catch((error: Error) =>
        program.log.warn(`Old lines of the security log could not be removed: ${error.message}`),
      );
  };
  forget();
  const timer = setInterval(forget, day);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
