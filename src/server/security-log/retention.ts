import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../database/database';
import type { Settings } from '../settings/settings';

/** What the deletion needs of the program. */
interface RetentionDependencies {
  readonly database: Database;
  readonly settings: Pick<Settings, 'securityLog'>;
}

const day = 24 * 60 * 60 * 1000;
/** Entries deleted per transaction. */
const batch = 10_000;

/** Deletes entries that are older than the setting, in batches. Returns how many. */
export async function deleteOldLogEntries({ database, settings }: RetentionDependencies): Promise<number> {
  let all = 0;
  for (;;) {
    const { rows } = await sql<{ gone: number }>`select assay.forget_security_log(
      now() - ${settings.securityLog.days} * interval '1 day', ${batch}) as gone`.execute(database.kysely);
    all += rows[0]!.gone;
    if (rows[0]!.gone < batch) return all;
  }
}

/** Deletes old entries now and every day. Returns a function that stops this and waits for a running deletion. */
export function scheduleLogRetention(program: RetentionDependencies & { readonly log: Logger }): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const forget = () => {
    running = running
      .then(() => deleteOldLogEntries(program))
      .catch((error: Error) =>
        program.log.warn(`Old entries of the security log could not be deleted: ${error.message}`),
      );
  };
  forget();
  const timer = setInterval(forget, day);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
