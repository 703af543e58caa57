import { sql } from 'kysely';
import { wallClock } from '../access/request-context';
import type { Queries, Transaction } from '../database/database';
import { queueMails } from '../mail/queue-mail';
import type { Program } from '../program';
import type { PeriodicWork } from '../queue/periodic-work';
import { usableZone, zoneOfReader } from '../accounts/profile/readers-formats';

/** Who may have a digest: `c` are their choices, `p` their preferences, `s` their company. */
const choosers = sql`assay.notice_choices c join public.users u on u.id = c.user_id
  left join public.sites s on s.id = u.site_id left join assay.user_preferences p on p.user_id = u.id`;

/** The local time in a time zone, as the database reads it. */
interface ZoneClock {
  readonly zone: string | null;
  readonly today: string;
  readonly hour: number;
}

/**
 * Queues the digest of everybody whose hour has come in their time zone: one mail with what is unread since their last
 * one, which is put together when it is sent. Nothing is queued for who has nothing unread. Each digest of a day is
 * claimed in the transaction that queues it, so that neither several servers nor a crash double or lose one. A day on
 * which no server ran is made up for with the next digest. Returns the number of mails.
 */
export async function queueDigests(program: Program, now = new Date()): Promise<number> {
  const { database, queue } = program;
  return database.transaction(async (trx) => {
    const dueUsers = await claimDue(trx, now);
    if (dueUsers.length === 0) return 0;
    const { rows } = await sql<{ user_id: number; notifications: number[] }>`with taken as (
        update assay.notifications set in_digest = false
        where user_id = any(${dueUsers}::bigint[]) and in_digest and read_at is null returning id, user_id)
      select user_id, array_agg(id order by id) as notifications from taken group by user_id order by user_id`.execute(
      trx,
    );
    await queueMails(
      queue,
      trx,
      rows.map((digest) => ({ occasion: 'digest', about: digest })),
    );
    return rows.length;
  });
}

/** Claims the digests that are due, and returns whose they are. */
async function claimDue(trx: Transaction, now: Date): Promise<number[]> {
  const clocks = await clocksOf(trx, now, sql`true`);
  const { rows } = await sql<{ user_id: number }>`update assay.notice_choices c set digested_on = due.day
    from (select c.user_id, ${dueDay} as day from ${choosers} join ${clockTable(clocks)} on z.zone is not distinct from ${zoneOfReader}) due
    where due.user_id = c.user_id and (c.digested_on is null or c.digested_on < due.day)
    returning c.user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

/**
 * The next digest comes at the next time, and not at once: after somebody chose for the first time, or with
 * `force` after they changed when it comes.
 */
export async function awaitNextDigest(
  trx: Transaction,
  user: number,
  { force, now = new Date() }: { readonly force: boolean; readonly now?: Date },
): Promise<void> {
  const clocks = await clocksOf(trx, now, sql`c.user_id = ${user}`);
  await sql`update assay.notice_choices c set digested_on = due.day
    from (select c.user_id, ${dueDay} as day from ${choosers} join ${clockTable(clocks)} on z.zone is not distinct from ${zoneOfReader}) due
    where due.user_id = c.user_id and c.user_id = ${user} and (c.digested_on is null or ${force})`.execute(trx);
}

/** The clocks of the time zones in which somebody has a digest. */
async function clocksOf(queries: Queries, now: Date, userCondition: ReturnType<typeof sql>): Promise<ZoneClock[]> {
  const { rows } = await sql<{ zone: string | null }>`select distinct ${zoneOfReader} as zone
    from ${choosers} where ${userCondition}`.execute(queries);
  return rows.map(({ zone }) => {
    const clock = wallClock(now, usableZone(zone));
    return { zone, today: clock.slice(0, 10), hour: Number(clock.slice(11, 13)) };
  });
}

/** The clocks as `z`, of which each chooser has one. */
const clockTable = (clocks: readonly ZoneClock[]) => sql`json_to_recordset(${JSON.stringify(clocks)}::json)
  as z (zone text, today date, hour integer)`;

/**
 * The day of the last digest that is due by the clock `z`: today, or yesterday before the hour has come; of a weekly one
 * the last such day of the week. An hour that clocks leave out in spring has come with the next one, and one that they
 * show twice in autumn comes once.
 */
const reachedDay = sql`(z.today - (z.hour < c.digest_hour)::integer)`;
const dueDay = sql`(case when c.digest_day is null then ${reachedDay}
  else ${reachedDay} - ((extract(dow from ${reachedDay})::integer - c.digest_day + 7) % 7) end)`;

/** The digests, looked for every minute. */
export function digestWork(program: Program): PeriodicWork {
  return {
    name: 'digests',
    every: 60,
    failure: 'Digests could not be queued',
    run: () => queueDigests(program),
  };
}
