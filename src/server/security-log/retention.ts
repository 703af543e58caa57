import { sql } from 'kysely';
import type { Database } from '../database/database';
import type { Settings } from '../settings/settings';

/** The parts of the program that the deletion needs. */
interface RetentionDependencies {
  readonly database: Database;
  readonly settings: Pick<Settings, 'securityLog'>;
}

/** Entries deleted per transaction. */
const batch = 10_000;

/** Deletes entries that are older than the setting, in batches. Returns how many. */
export async function deleteOldLogEntries({ database, settings }: RetentionDependencies): Promise<number> {
  let total = 0;
  for (;;) {
    const { rows } = await sql<{ gone: number }>`select assay.forget_security_log(
      now() - ${settings.securityLog.days} * interval '1 day', ${batch}) as gone`.execute(database.kysely);
    total += rows[0]!.gone;
    if (rows[0]!.gone < batch) return total;
  }
}
