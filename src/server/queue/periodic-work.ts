import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../database/database';
import type { QueueWorker } from './queue-loop';

/** Work that is repeated at intervals, such as the deletion of old rows. Its result does not suffer if it is left out once. */
export interface PeriodicWork {
  readonly name: string;
  /** Seconds from one time to the next. */
  readonly every: number;
  /** The text of the log, before the reason, if it fails; it runs again at its next time. */
  readonly failure: string;
  run(): Promise<unknown>;
}

/** Works that a server does at once. */
const atOnce = 3;
/** Seconds between two looks at what is due. */
const searchEvery = 5;

/** Periodic work as messages of the queue, due by its row of `assay.periodic_work`. */
export interface PeriodicWorker extends QueueWorker {
  /** Adds works, which are due now. */
  add(works: readonly PeriodicWork[]): Promise<void>;
  findMissing(): Promise<readonly { readonly work: string }[]>;
}

export function createPeriodicWorker({ kysely }: Database, log: Logger): PeriodicWorker {
  const workByName = new Map<string, PeriodicWork>();
  return {
    atOnce,
    searchEvery,
    async add(works) {
      for (const work of works) workByName.set(work.name, work);
      await sql`insert into assay.periodic_work (name, next_at)
        select name, now() from unnest(${works.map(({ name }) => name)}::text[]) as name order by name
        on conflict (name) do update set next_at = now()`.execute(kysely);
    },
    async run({ work: name }) {
      const work = workByName.get(String(name));
      // The row moves on first: of several messages and servers, one does it.
      const claim =
        await sql`update assay.periodic_work set next_at = now() + make_interval(secs => ${work?.every ?? 0})
        where name = ${name} and next_at <= now() and ${work !== undefined} returning 1`.execute(kysely);
      if (!work || claim.rows.length === 0) return;
      await work.run().catch((error: Error) => log.warn(`${work.failure}: ${error.message}`));
    },
    async findMissing() {
      const { rows } = await sql<{ work: string }>`select name as work from assay.periodic_work
        where next_at <= now() and name = any(${[...workByName.keys()]}::text[])`.execute(kysely);
      return rows;
    },
  };
}
