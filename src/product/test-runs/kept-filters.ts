import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import type { Queries, Transaction } from '../../server/database/database';
import { insertRecord } from '../../server/records/write/create';
import type { Query } from '../../server/records/read/query/list-query';
import { keptFilters } from './definitions';
import { fixedInput } from './fixed-input';
import type { HeldRun } from './run-access';
import type { TestSelection } from './test-selection';

/** A stored selection: it is evaluated again whenever what matches then is added. */
interface KeptFilter {
  readonly query: Query;
  readonly configurations: readonly number[];
  readonly combine: 'all' | 'pairwise';
  readonly assigned_to: number | null;
}

/**
 * Keeps the filter by which tests were added, once: all of a project is the filter without conditions. Tests that were
 * chosen one by one have none. The caller has locked the tests of the run.
 */
export async function keepFilter(
  context: RequestContext,
  run: HeldRun,
  { filter, test_cases, configurations = [], combine = 'all', assigned_to = null }: TestSelection,
  trx: Transaction,
): Promise<void> {
  const keptFilter = test_cases === 'all' ? {} : filter;
  if (keptFilter === undefined) return;
  const storedText = JSON.stringify(keptFilter);
  const configurationKey = JSON.stringify([...new Set(configurations)].sort((left, right) => left - right));
  const { rows } =
    await sql`select from public.run_filters f where f.run_id = ${run.id} and f.query = ${storedText}::jsonb
    and f.configurations = ${configurationKey}::jsonb and f.combine = ${combine} limit 1`.execute(trx);
  if (rows.length > 0) return;
  const values = {
    run_id: run.id,
    site_id: run.values.site_id,
    query: keptFilter,
    configurations: JSON.parse(configurationKey) as unknown,
    combine,
    assigned_to,
  };
  await insertRecord({ context, definition: context.registry.getOrThrow(keptFilters), trx }, fixedInput(values));
}

/** The kept filters of a run as selections, oldest first; configurations that were deleted since are left out. */
export async function keptSelections(run: number, queries: Queries): Promise<readonly TestSelection[]> {
  const { rows } = await sql<KeptFilter & { present: readonly number[] }>`
    select f.query, f.configurations, f.combine,
      (select u.id from public.users u where u.id = f.assigned_to and u.deleted_at is null) as assigned_to,
      (select coalesce(json_agg(c.id order by c.id), '[]') from public.configurations c
        where c.archived_at is null and f.configurations @> to_jsonb(c.id)) as present
    from public.run_filters f where f.run_id = ${run} order by f.id`.execute(queries);
  return rows
    .filter(({ configurations, present: presentIds }) => configurations.length === 0 || presentIds.length > 0)
    .map(({ query, present: presentIds, combine, assigned_to }) => ({
      filter: query,
      configurations: presentIds,
      combine,
      assigned_to,
    }));
}
