import { sql } from 'kysely';
import type { Hook, HookContext } from '../../server/program';
import { pinCases } from './pinned-case';
import { firstOf } from '../../engine/values/lookups';

/** beforeSave of test runs: when a run was closed. */
export const stampClosing: Hook = ({ previousRow, values, evaluationContext }) => {
  if (values.state === previousRow?.state) return Promise.resolve();
  return Promise.resolve({ closed_at: values.state === 'closed' ? evaluationContext.now : null });
};

/** afterSave of tests of runs: keeps the test case as it is now, so that the run does not change with it. */
export const pinTestCase: Hook = (context) => pinMany([context]);
pinTestCase.runMany = pinMany;
pinTestCase.isIdle = (context) => !isUnpinned(context);

const isUnpinned = ({ previousRow, values }: HookContext) =>
  typeof values.test_case_id === 'number' &&
  values.test_case_id !== previousRow?.test_case_id &&
  (values.pinned_at ?? null) === (previousRow?.pinned_at ?? null);

async function pinMany(contexts: readonly HookContext[]): Promise<void> {
  const addedContexts = contexts.filter(isUnpinned);
  if (addedContexts.length === 0) return;
  const { trx, program, evaluationContext } = firstOf(addedContexts);
  const ids = [...new Set(addedContexts.map(({ values }) => values.test_case_id as number))];
  const pinnedById = new Map(
    (await pinCases(program.definitions.registry(), ids, trx)).map((pinnedCase) => [pinnedCase.id, pinnedCase]),
  );
  const rows = addedContexts.flatMap(({ values }) => {
    const pinnedCase = pinnedById.get(values.test_case_id as number);
    return pinnedCase ? [{ id: values.id, name: pinnedCase.name, pinned: pinnedCase.content }] : [];
  });
  await sql`update public.run_entries e set name = p.name, pinned = p.pinned, pinned_at = ${evaluationContext.now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) p (id bigint, name text, pinned jsonb) where e.id = p.id`.execute(
    trx,
  );
}
