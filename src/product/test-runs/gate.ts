import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { accessFilter } from '../../server/access/access-filter';
import { BadRequest } from '../../server/errors/errors';
import { readRecord } from '../../server/records/read';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { entries, runs } from './definitions';
import { parseBoundedJson } from '../../engine/validation/bounded-json';

/** What a run must keep to: at most so many tests of a kind; of `pass_rate`, at least so many per cent. */
export type GateCondition = Readonly<Partial<Record<GateName, number>>>;

const names = ['failed', 'failed_new', 'broken', 'blocked', 'skipped', 'flaky', 'not_run', 'pass_rate'] as const;
type GateName = (typeof names)[number];

/** A limit that a run does not keep to. */
export interface FailedLimit {
  readonly name: GateName;
  readonly limit: number;
  readonly actual: number;
}

/** Whether a run keeps to a condition, and where not. */
export interface GateAnswer {
  readonly ok: boolean;
  readonly failed: FailedLimit[];
}

/**
 * Parses the condition of a gate. Throws BadRequest, which names what is wrong.
 *
 * @example parseGateCondition('{"failed_new":0,"pass_rate":95}'); // { failed_new: 0, pass_rate: 95 }
 */
export function parseGateCondition(text: string): GateCondition {
  let parsed: unknown;
  try {
    parsed = parseBoundedJson(text);
  } catch {
    throw new BadRequest('condition must be JSON, such as {"failed_new":0}.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new BadRequest('condition must be an object, such as {"failed_new":0}.');
  }
  for (const [name, limit] of Object.entries(parsed)) {
    if (!(names as readonly string[]).includes(name)) {
      throw new BadRequest(`condition: there is no figure "${name.slice(0, 50)}". There are ${names.join(', ')}.`);
    }
    const isShare = name === 'pass_rate';
    if (typeof limit !== 'number' || !(limit >= 0) || (isShare ? limit > 100 : !Number.isInteger(limit))) {
      throw new BadRequest(
        `condition: ${name} must be ${isShare ? 'a number from 0 to 100' : 'a whole number from 0 on'}.`,
      );
    }
  }
  if (Object.keys(parsed).length === 0) throw new BadRequest('condition must have a figure, such as {"failed_new":0}.');
  return parsed as GateCondition;
}

/**
 * `GET test-runs/{id}/gate`: tests in quarantine count in no figure. A failure is new if the same test, on the same
 * configuration, had not failed in the latest run of the same branch before. Broken tests count as failed too.
 */
export async function checkGate(context: RequestContext, id: number, condition: GateCondition): Promise<GateAnswer> {
  const run = await readRecord(context, context.registry.getOrThrow(runs), id);
  const figures = await countFigures(context, id, (run.branch ?? null) as string | null, run.project_id as number);
  const failed = names.flatMap((name): FailedLimit[] => {
    const limit = condition[name];
    if (limit === undefined) return [];
    const actual = figures[name];
    return (name === 'pass_rate' ? actual < limit : actual > limit) ? [{ name, limit, actual }] : [];
  });
  return { ok: failed.length === 0, failed };
}

async function countFigures(
  context: RequestContext,
  id: number,
  branch: string | null,
  project: number,
): Promise<Record<GateName, number>> {
  const definition = context.registry.getOrThrow(entries);
  const listed = accessFilter(context, definition, 'list');
  const visible = predicateToSql(listed, definition, 'e', context.registry, context.evaluationContext);
  const { rows } = await sql<Record<GateName, number>>`
    with counted as (
      select e.result, e.result in ('failed', 'broken') as has_failed, coalesce(before.result in ('failed', 'broken'), false) as had_failed
      from public.run_entries e
      left join public.automated_tests a on a.id = e.automated_test_id
      left join lateral (
        select p.result from public.run_entries p join public.test_runs r on r.id = p.run_id
        where e.result in ('failed', 'broken') and p.run_id < e.run_id and r.project_id = ${project}
          and r.branch is not distinct from ${branch}::text and p.result <> 'not_run'
          and (p.automated_test_id = e.automated_test_id or p.test_case_id = e.test_case_id)
          and p.configuration_id is not distinct from e.configuration_id
        order by p.run_id desc limit 1
      ) before on true
      where e.run_id = ${id} and ${visible} and (a.quarantined_until is null or a.quarantined_until < ${context.today}::date)
    )
    select count(*) filter (where has_failed)::integer as failed,
      count(*) filter (where has_failed and not had_failed)::integer as failed_new,
      count(*) filter (where result = 'broken')::integer as broken,
      count(*) filter (where result = 'blocked')::integer as blocked,
      count(*) filter (where result = 'skipped')::integer as skipped,
      count(*) filter (where result = 'flaky')::integer as flaky,
      count(*) filter (where result = 'not_run')::integer as not_run,
      coalesce(round(100.0 * count(*) filter (where result = 'passed') / nullif(count(*), 0), 2), 100)::float8 as pass_rate
    from counted`.execute(context.program.database.kysely);
  return rows[0]!;
}
