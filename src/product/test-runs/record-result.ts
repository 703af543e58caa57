import { sql } from 'kysely';
import { grantedFields } from '../../engine/access/access-decision';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { Transaction } from '../../server/database/database';
import type { Upload } from '../../server/files/upload';
import type { RequestContext } from '../../server/access/request-context';
import { Forbidden, Invalid } from '../../server/errors/errors';
import { insertRecord } from '../../server/records/write/create';
import { readAfterWrite } from '../../server/records/read/read';
import { publishRecordChange, translateDatabaseErrors } from '../../server/records/write/row-writes';
import { lockRules } from '../../server/records/write/rule-locks';
import { lockRow } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { taskStatus } from '../overview/status-ids';
import { attempts, entries, type PersonResult } from './definitions';
import { listedEntries } from '../run-overview/results';
import { fixedInput } from './fixed-input';
import { holdForResults } from './run-access';
import { historyOfChanges } from '../../server/records/history/changes-sql';

/** The result that a person found. */
export interface FoundResult {
  readonly result: PersonResult;
  readonly comment?: string | null;
  readonly elapsed_seconds?: number | null;
  readonly steps?: readonly StepResult[];
}

/** The files of a form that came with a result. */
export interface Evidence {
  readonly evidence?: readonly Upload[];
}

/** The result of one step; `index` counts from 1. */
export interface StepResult {
  readonly index: number;
  readonly result: PersonResult;
  readonly comment?: string | null;
  /** Which files of the result were seen at this step, counted from 1. */
  readonly evidence?: readonly number[];
}

/**
 * `PUT run-entries/{id}/result`: adds an attempt to a test of a run, which becomes its result. Earlier attempts stay.
 * Users who may change the tests of the run may do it, also if others wrote the test case. Throws Forbidden, NotFound, Conflict
 * if the run is closed, paused or in review, or Invalid. A run that is not started begins.
 */
export async function recordResult(
  context: RequestContext,
  id: number,
  resultInput: FoundResult & Evidence,
): Promise<ResourceRecord> {
  const definition = context.registry.getOrThrow(entries);
  assertGranted(context, definition, 'edit');
  const { result, comment = null, elapsed_seconds = null, steps = [], evidence = [] } = resultInput;
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const waitingIds = await lockWaitingTests(context, id, result, trx);
      const row = await lockRow({ context, definition, trx }, id);
      await holdForResults(context, row.values.run_id as number, trx);
      assertSteps(row.values, steps);
      const stepRows = asRows(steps, evidence);
      const { site_id } = row.values;
      const attempt = {
        entry_id: id,
        site_id,
        result,
        comment,
        elapsed_seconds,
        started_at: null,
        steps: stepRows,
        evidence: evidence.length > 0 ? evidence : null,
      };
      await insertRecord({ context, definition: context.registry.getOrThrow(attempts), trx }, fixedInput(attempt));
      const latest = {
        ...{ result, comment, elapsed_seconds, run_by: context.actor.id, run_at: context.now },
        ...(waitingIds.includes(id) && { retest: false }),
      };
      await storeChanges({ context, definition, trx }, id, fixedInput(latest), row);
      const otherIds = waitingIds.filter((waitingId) => waitingId !== id);
      await endRetests(context, otherIds, trx);
      return readAfterWrite({ context, definition }, id, trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/**
 * Locks a test that gets a result, and those that wait no more to be run again with it, of the same test case and
 * configuration, in closed runs too; returns their ids. In the order of the ids, so that two results never wait for each other.
 * Who runs a test again ends what waits in other runs, whatever is found: a failure that is reported waits for its own
 * defect. The test itself waits until it passes, since its defect may be reopened.
 */
async function lockWaitingTests(
  context: RequestContext,
  id: number,
  result: PersonResult,
  trx: Transaction,
): Promise<readonly number[]> {
  await lockRules(context, [context.registry.getOrThrow(entries)], trx);
  if (result !== 'passed' && result !== 'failed') return [];
  const { rows } = await sql<{ id: number; is_waiting: boolean }>`
    select e.id, (e.id <> own.id or ${result === 'passed'}) and e.retest and d.status_id = ${taskStatus.completed} as is_waiting
    from public.run_entries own
      join public.run_entries e on e.id = own.id or (e.test_case_id = own.test_case_id and e.retest
        and e.configuration_id is not distinct from own.configuration_id)
      left join public.tasks d on d.id = e.defect_id
    where own.id = ${id}
    order by e.id for no key update of e`.execute(trx);
  return rows.flatMap((row) => (row.is_waiting ? [row.id] : []));
}

/**
 * `POST run-entries/end-retest`: lets tests wait no more to be run again, in closed runs too; their results stay. Returns how
 * many had waited. Throws Forbidden.
 */
export async function endRetest(
  context: RequestContext,
  { entries: ids }: { readonly entries: readonly number[] },
): Promise<{ ended: number }> {
  const definition = context.registry.getOrThrow(entries);
  assertGranted(context, definition, 'edit');
  if (!grantedFields(context.actor, definition, 'edit').has('retest'))
    throw new Forbidden('You have no permission to change whether tests are run again.');
  return context.program.database.transaction(async (trx) => {
    const { rows } = await sql<{ id: number }>`select e.id from public.run_entries e
      where e.id = any(${ids}::bigint[]) and e.retest and ${listedEntries(context, 'e')}
      order by e.id for no key update of e`.execute(trx);
    const waitingIds = rows.map(({ id }) => id);
    await endRetests(context, waitingIds, trx);
    return { ended: rows.length };
  });
}

/** Lets tests wait no more to be run again. Rules do not matter: nobody changes the tests of closed runs otherwise. */
async function endRetests(
  { actor, now, program, registry }: RequestContext,
  ids: readonly number[],
  trx: Transaction,
): Promise<void> {
  if (ids.length === 0) return;
  const changes = sql`select e.site_id, ${entries}::text, e.id, 'updated', '{"retest": true}'::jsonb, '{"retest": false}'::jsonb,
    ${actor.id}::bigint, ${now}::timestamptz, null::integer from ended e order by e.id`;
  const { rows: companies } = await sql<{ site_id: number }>`with ended as (
      update public.run_entries set retest = false, updated_by = ${actor.id},
        updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
      where id = any(${ids}::bigint[]) returning id, site_id),
    ${historyOfChanges(changes)} select distinct site_id from ended`.execute(trx);
  // One event tells every list of a company.
  for (const { site_id } of companies)
    publishRecordChange(program, registry.getOrThrow(entries), { id: 0, site_id }, 'changed', trx);
}

/** The steps as an attempt keeps them. Throws Invalid for a file that is not there, or not at one step alone. */
function asRows(steps: readonly StepResult[], files: readonly Upload[]): ResourceRecord[] {
  const usedNames = new Set<string>();
  return steps.map(({ index, result, comment = null, evidence = [] }, stepIndex) => {
    const names = evidence.map((number, position) => {
      const refuse = (reason: string) => new Invalid({ [`steps[${stepIndex}].evidence[${position}]`]: reason });
      const name = files[number - 1]?.name;
      if (name === undefined) throw refuse(`There is no file ${number} in the form.`);
      if (usedNames.has(name)) throw refuse(`“${name}” is at a step already.`);
      // The attempt names the files of its steps.
      if (files.filter((file) => file.name === name).length > 1)
        throw refuse(`Several files are called “${name}”. Give each its own name.`);
      usedNames.add(name);
      return name;
    });
    return { index, result, comment, evidence: names.join('\n') || null };
  });
}

/** Throws Invalid for a step that the test case did not have when it came into the run, or that is given twice. */
function assertSteps({ pinned: pinnedCase }: ResourceRecord, steps: readonly StepResult[]): void {
  const count = ((pinnedCase as { steps?: readonly unknown[] } | null)?.steps ?? []).length;
  const indexes = new Set<number>();
  steps.forEach(({ index }, stepIndex) => {
    const path = `steps[${stepIndex}].index`;
    if (index > count) {
      const stepCount = count === 0 ? 'no steps' : count === 1 ? 'one step' : `${count} steps`;
      throw new Invalid({ [path]: `There is no step ${index}: the test has ${stepCount}.` });
    }
    if (indexes.has(index)) throw new Invalid({ [path]: `Step ${index} is there twice.` });
    indexes.add(index);
  });
}
