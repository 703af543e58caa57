import { sql, type RawBuilder } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';

/** The place of a row's result among all, the worst first. */
export const severityOf = (alias: string): RawBuilder<unknown> =>
  sql`array_position(array['failed', 'broken', 'blocked', 'flaky', 'skipped', 'passed'], ${sql.id(alias, 'result')}::text)`;

/**
 * Gives tests of runs, the ids of which a query selects, the result of their attempts. Of each part the last one counts,
 * which is flaky if it passed after a failure; of several parts, the worst. A result that a person set stays.
 */
export async function renewResults(
  { actor, now }: RequestContext,
  ids: RawBuilder<unknown>,
  trx: Transaction,
): Promise<void> {
  await sql`with of_part as (
      select a.entry_id, max(a.id) as latest,
        case when (array_agg(a.result order by a.id desc))[1] = 'passed' and bool_or(a.result in ('failed', 'broken'))
          then 'flaky' else (array_agg(a.result order by a.id desc))[1] end as result,
        (array_agg(a.elapsed_seconds order by a.id desc) filter (where a.elapsed_seconds is not null))[1] as seconds,
        (array_agg(a.message order by a.id desc))[1] as message
      from public.attempts a where a.entry_id in (${ids})
      group by a.entry_id, a.shard),
    worst as (select distinct on (p.entry_id) p.* from of_part p order by p.entry_id, ${severityOf('p')}, p.latest desc)
    update public.run_entries e set result = x.result, elapsed_seconds = x.seconds, comment = x.message,
      run_by = ${actor.id}, run_at = ${now}::timestamptz, updated_at = ${now}::timestamptz, updated_by = ${actor.id}
    from worst x where e.id = x.entry_id
      and not exists (select from public.attempts a where a.entry_id = e.id and a.source = 'people')`.execute(trx);
}
