import { sql } from 'kysely';
import type { Program } from '../program';
import { openArchiveFile, type ArchiveFile } from './archive-file';
import { firstOf } from '../../engine/values/lookups';

/** Rows deleted per transaction. */
const batch = 1_000;

type RetentionProgram = Pick<Program, 'database' | 'settings'>;
type Kind = 'history' | 'notifications';

/** The number of deleted rows by kind. */
export type DeletedRows = Record<Kind, number>;

/**
 * Deletes history and notifications that are older than the settings, in batches, oldest first; with ARCHIVE_DIR only
 * after they were written to a file there. Throws errors of the file system: then the rows are kept. Only one server of
 * a database does this at a time.
 */
export async function deleteOldRows(program: RetentionProgram): Promise<DeletedRows> {
  const { historyDays, notificationDays } = program.settings.retention;
  return {
    history: await deleteOldRowsOfKind(program, 'history', historyDays),
    notifications: await deleteOldRowsOfKind(program, 'notifications', notificationDays),
  };
}

async function deleteOldRowsOfKind(program: RetentionProgram, kind: Kind, days: number | undefined): Promise<number> {
  if (days === undefined) return 0;
  const { archiveDir } = program.settings.retention;
  const archive = archiveDir === undefined ? undefined : () => openArchiveFile(archiveDir, kind);
  let openedFile: ArchiveFile | undefined;
  let total = 0;
  for (;;) {
    const droppedCount = await program.database.transaction(async (trx) => {
      const { rows: lock } = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('assay.retention', 0)) as mine`.execute(trx);
      if (!firstOf(lock).mine) return 0;
      const { rows } = await sql<{ line: string }>`delete from ${sql.id('assay', kind)} t
        where (t.site_id, t.id) in (select site_id, id from ${sql.id('assay', kind)}
          where created_at < now() - make_interval(days => ${days}) order by created_at, id limit ${batch})
        returning to_jsonb(t)::text as line`.execute(trx);
      // The rows are gone after the commit: they must be on disk by then.
      if (rows.length > 0) await (openedFile ??= await archive?.())?.append(rows.map(({ line }) => line));
      return rows.length;
    });
    total += droppedCount;
    if (droppedCount < batch) return total;
  }
}
