import { sql } from 'kysely';
import type { Program } from '../program';
import type { Transaction } from '../database/database';
import type { PeriodicWork } from '../queue/periodic-work';
import { tellOfChanges, type WatchedChange } from './tell-of-changes';

/** Those who watch are told once the author has changed nothing more for so many seconds. */
const quietSeconds = 60;
/** They wait at most so many seconds for that. */
const longestSeconds = 300;
/** Changes that one transaction tells of. */
const maxAtOnce = 2_000;

/** Whose changes of which module in which company (0: in none). */
interface Author {
  readonly site_id: number;
  readonly resource: string;
  /** Null: the program. */
  readonly user_id: number | null;
}

/**
 * Tells those who watch records of what was changed in them, once its author is done with it: what somebody changes one
 * after the other is told as one. Waiting changes are deleted in the transaction that tells of them, so that neither several
 * servers nor a crash double or lose it. Returns the number of changes that were told of, to anybody or nobody.
 */
export async function tellOfWatchedChanges(program: Program, now = new Date()): Promise<number> {
  const { kysely } = program.database;
  const seconds = (name: 'max' | 'min') =>
    sql`extract(epoch from ${now.toISOString()}::timestamptz - ${sql.raw(name)}(h.created_at))`;
  const { rows: authors } = await sql<Author>`select h.site_id, h.resource, h.user_id
    from assay.watched_changes c join assay.history h on h.site_id = c.site_id and h.id = c.history_id group by 1, 2, 3
    having ${seconds('max')} >= ${quietSeconds} or ${seconds('min')} >= ${longestSeconds}`.execute(kysely);
  let toldCount = 0;
  let failure: unknown;
  for (const author of authors) {
    try {
      toldCount += await tellOf(program, author);
    } catch (error) {
      // The others are told all the same.
      failure ??= error;
    }
  }
  // Of records that were deleted since, their deletion was told.
  await sql`delete from assay.watched_changes c where not exists (
    select from assay.history h where h.site_id = c.site_id and h.id = c.history_id)`.execute(kysely);
  if (failure !== undefined) throw failure as Error;
  return toldCount;
}

async function tellOf(program: Program, author: Author): Promise<number> {
  let toldCount = 0;
  for (;;) {
    const takenCount = await program.database.transaction(async (trx) => {
      const changes = await takeChanges(author, trx);
      const definition = program.definitions.registry().get(author.resource);
      if (definition?.comments) await tellOfChanges(program, definition, author.user_id, changes, trx);
      return changes.length;
    });
    toldCount += takenCount;
    if (takenCount < maxAtOnce) return toldCount;
  }
}

/** Takes what waits of an author's changes, oldest first. */
async function takeChanges(
  { site_id: site, resource, user_id: author }: Author,
  trx: Transaction,
): Promise<WatchedChange[]> {
  const { rows } = await sql<WatchedChange>`with taken as (
      delete from assay.watched_changes c where c.site_id = ${site} and c.history_id in (
        select w.history_id from assay.watched_changes w join assay.history h on h.site_id = w.site_id and h.id = w.history_id
        where h.site_id = ${site} and h.resource = ${resource} and h.user_id is not distinct from ${author}::bigint
        order by w.history_id limit ${maxAtOnce})
      returning c.history_id, c.made_in)
    select h.id::float8 as id, h.site_id, h.record_id, h.event, h.old_values, h.new_values, h.created_at, taken.made_in::text
    from taken join assay.history h on h.id = taken.history_id where h.site_id = ${site} order by h.id`.execute(trx);
  return rows;
}

/** The changes of watched records, looked at twice a minute. */
export function watchedChangesWork(program: Program): PeriodicWork {
  return {
    name: 'watched-changes',
    every: 30,
    failure: 'Those who watch records could not be told of changes',
    run: () => tellOfWatchedChanges(program),
  };
}
