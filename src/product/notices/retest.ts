import { sql } from 'kysely';
import { idOf, companyOf } from '../../engine/definitions/accessors';
import { firstOf, getOrThrow } from '../../engine/values/lookups';
import { sendNotifications } from '../../server/notifications/send-notifications';
import type { Hook, HookContext } from '../../server/program';
import { taskStatus } from '../overview/status-ids';
import { resultsRefusal } from '../test-runs/definitions';

/** A test that waits for its defect. */
interface WaitingTest {
  readonly id: number;
  readonly task: number;
  readonly name: string;
  readonly key: string | null;
  readonly run_id: number;
  readonly run_key: string | null;
  readonly state: string;
  readonly people: readonly (number | null)[];
}

/** afterSave of tasks: tells those who ran or are to run the tests that found a task that it is completed. */
export const notifyRetest: Hook = (context) => notifyAll([context]);
notifyRetest.runMany = notifyAll;
notifyRetest.isIdle = (context) => !isCompletion(context);

const isCompletion = ({ previousRow, values }: HookContext) =>
  Boolean(previousRow) && values.status_id === taskStatus.completed && previousRow?.status_id !== taskStatus.completed;

async function notifyAll(contexts: readonly HookContext[]): Promise<void> {
  const completions = new Map(contexts.filter(isCompletion).map((context) => [idOf(context.values), context]));
  if (completions.size === 0) return;
  const { program, trx } = firstOf(contexts);
  const { rows } = await sql<WaitingTest>`
    select e.id, e.defect_id as task, e.name, c.key, e.run_id, r.key as run_key, r.state,
      array[e.assigned_to, e.run_by] as people
    from public.run_entries e join public.test_runs r on r.id = e.run_id
      left join public.test_cases c on c.id = e.test_case_id
    where e.defect_id = any(${[...completions.keys()]}::bigint[]) and e.retest
      and e.test_case_id is not null and e.result in ('failed', 'broken', 'blocked')
    order by e.id`.execute(trx);
  // One message for each person and task: a defect can have been found by hundreds of tests.
  const groups = new Map<string, { person: number; tests: WaitingTest[] }>();
  for (const row of rows)
    for (const person of new Set(row.people)) {
      if (person === null) continue;
      const key = `${row.task} ${person}`;
      const group = groups.get(key) ?? { person, tests: [] };
      group.tests.push(row);
      groups.set(key, group);
    }
  const events = [...groups.values()].flatMap(({ person, tests }) => {
    const { id, task, name, key, run_id, run_key, state } = firstOf(tests);
    const { actor, previousRow, values } = getOrThrow(completions, task);
    if (person === actor.id) return [];
    const record = { ...previousRow, ...values };
    const otherCount = tests.length - 1;
    const otherTests = otherCount === 0 ? '' : ` and ${otherCount} ${otherCount === 1 ? 'other' : 'others'}`;
    return {
      occasion: 'retest_due',
      company: companyOf(record),
      recipients: [person],
      audience: record.project_id as number,
      // A run that takes no more results is not opened to run the test in it: from the list it is run in a new one.
      link:
        otherCount > 0 || resultsRefusal(state) ? '/run-entries?tab=retest' : `/test-runs/${run_id}/run?entry=${id}`,
      actor: actor.id,
      values: { title: String(record.name), text: `${key ?? name} in ${run_key ?? 'its run'}${otherTests}` },
    };
  });
  await sendNotifications(program, trx, ...events);
}
