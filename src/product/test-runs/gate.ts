import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { accessFilter } from '../../server/access/access-filter';
import { BadRequest } from '../../server/errors/errors';
import { formatNumber } from '../../engine/formats/numbers';
import { percentOf } from '../../engine/formats/shares';
import { readRecord } from '../../server/records/read/read';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import type { LoadingPart } from '../answers/loading-parts';
import { latestResultBefore, onSameConfiguration } from '../run-overview/earlier-results';
import { loadingParts } from '../test-results/stored-uploads';
import { entries, runs } from './definitions';
import { parseBoundedJson } from '../../engine/values/bounded-json';
import { oneRow } from '../../server/database/one-row';

/** The conditions that a run must meet: at most so many tests of a kind; of `pass_rate`, at least so many per cent. */
export type GateCondition = Readonly<Partial<Record<GateName, number>>>;

const names = ['failed', 'failed_new', 'broken', 'blocked', 'skipped', 'flaky', 'not_run', 'pass_rate'] as const;
type GateName = (typeof names)[number];

/** A limit that a run does not keep to. */
export interface FailedLimit {
  readonly name: GateName;
  readonly limit: number;
  readonly actual: number;
}

/** Whether a run keeps to a condition, and where not: as figures and as sentences. */
export interface GateAnswer {
  readonly ok: boolean;
  readonly failed: FailedLimit[];
  readonly problems: string[];
  /** Parts whose results are being stored, if there are some: until they are there, the run keeps to no condition. */
  readonly loading?: LoadingPart[];
}

/**
 * Parses the condition of a gate. Throws BadRequest, which names what is wrong.
 *
 * @example parseGateCondition('{"failed_new":0,"pass_rate":95}'); // { failed_new: 0, pass_rate: 95 }
 */
export function parseGateCondition(text: string): GateCondition {
  let parsedGate: unknown;
  try {
    parsedGate = parseBoundedJson(text);
  } catch {
    throw new BadRequest('condition must be JSON, such as {"failed_new":0}.');
  }
  if (typeof parsedGate !== 'object' || parsedGate === null || Array.isArray(parsedGate)) {
    throw new BadRequest('condition must be an object, such as {"failed_new":0}.');
  }
  for (const [name, limit] of Object.entries(parsedGate)) {
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
  if (Object.keys(parsedGate).length === 0)
    throw new BadRequest('condition must have a figure, such as {"failed_new":0}.');
  return parsedGate as GateCondition;
}

/**
 * `GET test-runs/{id}/gate`: tests in quarantine count in no figure. A failure is new if the same test, on the same
 * configuration, had not failed in the latest run of the same branch before. Broken tests count as failed too.
 */
export async function checkGate(context: RequestContext, id: number, condition: GateCondition): Promise<GateAnswer> {
  const run = await readRecord({ context, definition: context.registry.getOrThrow(runs) }, id);
  // Before the figures: a part that comes to its end in between is told as being stored, never the other way round.
  const loading = await loadingParts(context.program.database.kysely, id);
  const figures = await countFigures(context, id, (run.branch ?? null) as string | null, run.project_id as number);
  const failed = names.flatMap((name): FailedLimit[] => {
    const limit = condition[name];
    if (limit === undefined) return [];
    if (name !== 'pass_rate') return figures[name] > limit ? [{ name, limit, actual: figures[name] }] : [];
    const { passed: passedCount, total } = figures;
    // Compared as it is, and not as it is shown. Of nothing no share is reached.
    if (total > 0 && passedCount * 100 >= limit * total) return [];
    return [{ name, limit, actual: shownBelow(limit, passedCount, total) }];
  });
  const problems = loading
    .map(describeLoading)
    .concat(
      failed.map(({ name, limit, actual }) =>
        name === 'pass_rate'
          ? figures.total === 0
            ? `pass_rate: no test counts, at least ${limit} % must have passed.`
            : `pass_rate: ${actual} % of the tests passed, at least ${limit} % must.`
          : `${name}: ${actual}, at most ${limit} are allowed.`,
      ),
    );
  const isLoading = loading.length > 0;
  return { ok: failed.length === 0 && !isLoading, failed, problems, ...(isLoading && { loading }) };
}

/** Says how far the results of a part are stored. */
function describeLoading({ part, stored: storedCount, tests, is_interrupted }: LoadingPart): string {
  const count = `${formatNumber(storedCount)} of ${formatNumber(tests)} tests`;
  const name = part === null ? 'The results' : `The results of the part "${part}"`;
  return is_interrupted
    ? `${name} are not complete: their upload was interrupted after ${count}. Send them again.`
    : `${name} are being stored: ${count} so far. Ask again in a moment.`;
}

/** A share that is below a limit, with as many decimals as show that it is. */
function shownBelow(limit: number, passedCount: number, total: number): number {
  for (let digits = 2; digits <= 6; digits++) {
    const percent = percentOf(passedCount, total, digits) ?? 0;
    if (percent < limit) return percent;
  }
  return (100 * passedCount) / Math.max(total, 1);
}

type Figures = Readonly<Record<Exclude<GateName, 'pass_rate'> | 'passed' | 'total', number>>;

async function countFigures(
  context: RequestContext,
  id: number,
  branch: string | null,
  project: number,
): Promise<Figures> {
  const definition = context.registry.getOrThrow(entries);
  const visibleRecords = accessFilter(context, definition, 'list');
  const visible = predicateToSql(visibleRecords, definition, 'e', context.registry, context.evaluationContext);
  const earlierResults = { project, runs: sql`r.branch is not distinct from ${branch}::text`, visible: sql`true` };
  // In a run whose parts had no test in common, a test has no configuration.
  const previousResult = sql`coalesce(${latestResultBefore({ ...earlierResults, configurations: onSameConfiguration })},
    ${latestResultBefore({ ...earlierResults, configurations: sql`p.configuration_id is null and e.configuration_id is not null` })})`;

  return oneRow(
    await sql<Figures>`
    with counted as (
      select e.result, e.result in ('failed', 'broken') as has_failed,
        e.result in ('failed', 'broken') and coalesce(${previousResult} in ('failed', 'broken'), false) as had_failed
      from public.run_entries e left join public.automated_tests a on a.id = e.automated_test_id
      where e.run_id = ${id} and ${visible} and (a.quarantined_until is null or a.quarantined_until < ${context.today}::date)
    )
    select count(*) filter (where has_failed)::integer as failed,
      count(*) filter (where has_failed and not had_failed)::integer as failed_new,
      count(*) filter (where result = 'broken')::integer as broken,
      count(*) filter (where result = 'blocked')::integer as blocked,
      count(*) filter (where result = 'skipped')::integer as skipped,
      count(*) filter (where result = 'flaky')::integer as flaky,
      count(*) filter (where result = 'not_run')::integer as not_run,
      count(*) filter (where result = 'passed')::integer as passed, count(*)::integer as total
    from counted`.execute(context.program.database.kysely),
  );
}
