import type { ResourceRecord } from '../../engine/definitions/definition';
import { isEqualJson } from '../../engine/values/equal-values';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { Conflict } from '../../server/errors/errors';
import { readAfterWrite, readRecord } from '../../server/records/read/read';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { lockRow } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { entries, testCases } from './definitions';
import { fixedInput } from './fixed-input';
import { pinCases } from './pinned-case';
import { assertOpen } from './run-access';

/**
 * `POST run-entries/{id}/version`: the test takes the test case as it is now; its attempts stay. Throws Forbidden,
 * NotFound, or Conflict if the run is closed or the test case is gone.
 */
export async function takeVersion(context: RequestContext, id: number): Promise<ResourceRecord> {
  const definition = context.registry.getOrThrow(entries);
  assertGranted(context, definition, 'edit');
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const row = await lockRow({ context, definition, trx }, id);
      await assertOpen(row.values.run_id as number, trx);
      const testCase = row.values.test_case_id as number | null;
      if (testCase === null) throw new Conflict('The test case was deleted. The test keeps what it was then.');
      // The user who takes the new version must be allowed to see it.
      await readRecord({ context, definition: context.registry.getOrThrow(testCases) }, testCase, new Set(['id']));
      const [current] = await pinCases(context.registry, [testCase], trx);
      const input = fixedInput({ name: current!.name, pinned: current!.content, pinned_at: context.now });
      await storeChanges({ context, definition, trx }, id, input, row);
      return readAfterWrite({ context, definition }, id, trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/** A test of a run and its test case: what the run has, what there is now, and which parts differ. */
export interface VersionDifference {
  readonly pinned: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>> | null;
  readonly changed: readonly string[];
}

/** `GET run-entries/{id}/version`: how the test case changed since it came into the run. */
export async function compareVersion(context: RequestContext, id: number): Promise<VersionDifference> {
  const entry = await readRecord({ context, definition: context.registry.getOrThrow(entries) }, id);
  const pinnedContent = (entry.pinned ?? {}) as Readonly<Record<string, unknown>>;
  const testCase = entry.test_case_id as number | null;
  if (testCase === null) return { pinned: pinnedContent, current: null, changed: [] };
  await readRecord({ context, definition: context.registry.getOrThrow(testCases) }, testCase, new Set(['id']));
  const [currentCase] = await pinCases(context.registry, [testCase], context.program.database.kysely);
  const current = currentCase?.content ?? {};
  const names = [...new Set([...Object.keys(pinnedContent), ...Object.keys(current)])];
  const changedNames = names.filter((name) => !isEqualJson(pinnedContent[name], current[name]));
  return { pinned: pinnedContent, current, changed: changedNames };
}
