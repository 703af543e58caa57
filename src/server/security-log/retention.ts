import { sql } from 'kysely';
import type { Database } from '../database/database';
import type { Settings } from '../settings/settings';
import { oneRow } from '../database/one-row';

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
    const row = oneRow(
      await sql<{ gone: number }>`select assay.forget_security_log(
      now() - ${settings.securityLog.days} * interval '1 day', ${batch}) as gone`.execute(database.kysely),
    );
    total += row.gone;
    if (row.gone < batch) return total;
  }
}
