import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { Transaction } from '../../server/database/database';
import type { Upload } from '../../server/files/upload';
import type { RequestContext } from '../../server/access/request-context';
import { Invalid } from '../../server/errors/errors';
import { insertRecord } from '../../server/records/write/create';
import { readAfterWrite } from '../../server/records/read/read';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { lockRow } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { taskStatus } from '../overview/status-ids';
import { attempts, entries, type PersonResult } from './definitions';
import { fixedInput } from './fixed-input';
import { holdForResults } from './run-access';

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
      const latest = { result, comment, elapsed_seconds, run_by: context.actor.id, run_at: context.now };
      await storeChanges({ context, definition, trx }, id, fixedInput(latest), row);
      if (result === 'passed') await endRetests(row.values, trx);
      return readAfterWrite({ context, definition }, id, trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/** The test case passed, so nothing of it that failed before waits any more to be run again: not in closed runs either. */
async function endRetests({ test_case_id, configuration_id }: ResourceRecord, trx: Transaction): Promise<void> {
  if (typeof test_case_id !== 'number') return;
  await sql`update public.run_entries e set retest = false from public.tasks d
    where e.test_case_id = ${test_case_id} and e.configuration_id is not distinct from ${configuration_id ?? null}::bigint
      and e.retest and d.id = e.defect_id and d.status_id = ${taskStatus.completed}`.execute(trx);
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
