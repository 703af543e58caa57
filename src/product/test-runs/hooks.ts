import { sql } from 'kysely';
import type { Hook, HookContext } from '../../server/program';
import { pinCases } from './pinned-case';

/** beforeSave of test runs: when a run was closed. */
export const stampClosing: Hook = ({ previousRow: before, values, evaluationContext }) => {
  if (values.state === before?.state) return Promise.resolve();
  return Promise.resolve({ closed_at: values.state === 'closed' ? evaluationContext.now : null });
};

/** afterSave of tests of runs: keeps the test case as it is now, so that the run does not change with it. */
export const pinTestCase: Hook = (context) => pinMany([context]);
pinTestCase.runMany = pinMany;
pinTestCase.isIdle = (context) => !isUnpinned(context);

const isUnpinned = ({ previousRow: before, values }: HookContext) =>
  typeof values.test_case_id === 'number' &&
  values.test_case_id !== before?.test_case_id &&
  (values.pinned_at ?? null) === (before?.pinned_at ?? null);

async function pinMany(contexts: readonly HookContext[]): Promise<void> {
  const added = contexts.filter(isUnpinned);
  if (added.length === 0) return;
  const { trx, program, evaluationContext } = added[0]!;
  const ids = [...new Set(added.map(({ values }) => values.test_case_id as number))];
  const pinned = new Map((await pinCases(program.definitions.registry(), ids, trx)).map((one) => [one.id, one]));
  const rows = added.flatMap(({ values }) => {
    const found = pinned.get(values.test_case_id as number);
    return found ? [{ id: values.id, name: found.name, pinned: found.content }] : [];
  });
  await sql`update public.run_entries e set name = p.name, pinned = p.pinned, pinned_at = ${evaluationContext.now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) p (id integer, name text, pinned jsonb) where e.id = p.id`.execute(
    trx,
  );
}
