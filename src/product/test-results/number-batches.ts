import { sql } from 'kysely';
import type { Queries } from '../../server/database/database';
import { identityOf } from './reading/parsed-test';
import { numberedTest, type NumberedTest } from './reading/numbered-test';

/** A test of a batch, as the reader writes it. */
interface BatchRow extends NumberedTest {
  /** The same test again is another attempt of it, as in the results of Allure. */
  readonly isRepeatable: boolean;
}

/** How many numbers of each test are looked up at once. */
const step = 32;

/**
 * Numbers tests of a batch behind those of other batches of the same part that are the same otherwise: the batches of a
 * part are one delivery, which was only too large for one upload.
 *
 * @param moments when the other batches were sent, by which their attempts are known.
 */
export async function* numberBehind(
  batches: AsyncIterable<string> | Iterable<string>,
  moments: readonly string[],
  runOfBatches: RunOfBatches,
): AsyncGenerator<string> {
  for await (const batch of batches) yield moments.length === 0 ? batch : numberBatch(batch, moments, runOfBatches);
}

/** The run of batches, and where it is looked up. */
interface RunOfBatches {
  readonly project: number;
  readonly run: number;
  readonly queries: Queries;
}

async function numberBatch(batch: string, moments: readonly string[], runOfBatches: RunOfBatches): Promise<string> {
  const rows = JSON.parse(batch) as BatchRow[];
  const rowsByIdentity = new Map<string, BatchRow>();
  for (const row of rows) if (!row.isRepeatable) rowsByIdentity.set(identityOf({ ...row, name: row.plain_name }), row);
  const counts = new Map<string, number>();
  let open = [...rowsByIdentity.entries()];
  let first = 1;
  while (open.length > 0) {
    // Most tests are in one batch alone, which their first number says.
    const length = first === 1 ? 1 : step;
    const candidates = open.map(([identity, row]) => ({
      identity,
      row,
      numbered: Array.from({ length }, (_, index) => identityOf({ ...row, name: row.plain_name }, first + index)),
    }));
    const takenIdentities = await findTaken(
      candidates.flatMap(({ numbered: numberedIdentities }) => numberedIdentities),
      moments,
      runOfBatches,
    );
    open = [];
    for (const { identity, row, numbered: numberedIdentities } of candidates) {
      const free = numberedIdentities.findIndex((identity) => !takenIdentities.has(identity));
      counts.set(identity, first - 1 + (free < 0 ? length : free));
      if (free < 0) open.push([identity, row]);
    }
    first += length;
  }
  return JSON.stringify(
    rows.map((row) => {
      const count = row.isRepeatable ? 0 : (counts.get(identityOf({ ...row, name: row.plain_name })) ?? 0);
      if (count === 0) return row;
      return { ...row, ...numberedTest({ ...row, name: row.plain_name }, row.order + count, row.former_order + count) };
    }),
  );
}

/** Those of some identities whose tests have an attempt in the run that was sent at one of these moments. */
async function findTaken(
  identities: readonly string[],
  moments: readonly string[],
  { project, run, queries }: RunOfBatches,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ identity: string }>`with named as materialized (
      select a.identity, a.id from public.automated_tests a
      where a.project_id = ${project} and a.identity = any(${identities}::text[])
      union all
      select x.identity, a.id from public.automated_tests__aliases x join public.automated_tests a on a.id = x.parent_id and a.site_id = x.site_id
      where a.project_id = ${project} and x.identity = any(${identities}::text[]))
    select distinct n.identity from named n
    join public.run_entries e on e.run_id = ${run} and e.automated_test_id = n.id
    join public.attempts t on t.entry_id = e.id and t.source = 'machines' and t.created_at = any(${moments}::timestamptz[])`.execute(
    queries,
  );
  return new Set(rows.map(({ identity }) => identity));
}
