import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Registry } from '../../engine/registry/registry';
import type { Queries } from '../../server/database/database';
import { resultNames, type ResultCounts } from '../answers/results';
import { resultSql, sharedEntries } from './results';
import { oneRow } from '../../server/database/one-row';

/** A run as it is at a moment, as text that anybody can check. */
interface StateOfRun {
  readonly text: string;
  /** The SHA-256 of the text in UTF-8, in hexadecimal. */
  readonly fingerprint: string;
}

/** The run whose state is described. */
interface DescribedRun {
  readonly id: number;
  readonly key: string | null;
}

/**
 * Describes the results of a run and every attempt, without names, so that the text may be given to whoever has its
 * public link: a line with the figures, then a line for each test (`81 passed`), each followed by its attempts
 * (`81.71 passed 2026-11-24T12:27:00.000Z`), by id. It is of all tests, whoever asks, so that everybody gets the same.
 */
export async function describeState(queries: Queries, registry: Registry, run: DescribedRun): Promise<StateOfRun> {
  const countColumns = sql.join(
    resultNames.map(
      (name) =>
        sql`(count(*) filter (where ${resultSql(sql`t.result`)} = ${sql.lit(name)}))::integer as ${sql.id(name)}`,
    ),
  );

  const { lines, total, ...counts } = oneRow(
    await sql<ResultCounts & { total: number; lines: string | null }>`
    with tests as materialized (
      select e.id, e.result from public.run_entries e where e.run_id = ${run.id} and ${sharedEntries(registry, 'e')}
    ),
    lines as (
      select t.id as test, 0 as attempt, t.id || ' ' || t.result as line from tests t
      union all
      select a.entry_id, a.id, a.entry_id || '.' || a.id || ' ' || a.result || ' ' ||
        to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      from public.attempts a join tests t on t.id = a.entry_id
    )
    select count(*)::integer as total, ${countColumns},
      (select string_agg(l.line || E'\n', '' order by l.test, l.attempt) from lines l) as lines
    from tests t`.execute(queries),
  );
  const figures = [`tests=${total}`, ...resultNames.map((name) => `${name}=${counts[name]}`)].join(' ');
  const text = `${run.key ?? run.id} ${figures}\n${lines ?? ''}`;
  return { text, fingerprint: createHash('sha256').update(text, 'utf8').digest('hex') };
}
