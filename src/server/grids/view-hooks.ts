import { sql } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import { viewProblem } from '../../engine/lists/saved-views';
import { isEqualJson } from '../../engine/values/equal-values';
import type { Hook, HookContext } from '../program';
import { oneRow } from '../database/one-row';

/** The most views that somebody can have of one list. */
const mostViews = 50;

/**
 * beforeSave: a view is of a list that its author may open, and keeps what that list has. A view of which the list has
 * changed since can be renamed without correcting it.
 */
const guardView: Hook = async (context) => {
  const { previousRow, values, fail } = context;
  if (typeof values.module !== 'string')
    fail('module', 'Module is required: the name of the module whose list it is of.');
  const registry = context.program.definitions.registry();
  const definition = registry.get(String(values.module));
  if (!previousRow || !isEqualJson(previousRow.settings, values.settings)) {
    if (!definition || !isGranted(context.actor, definition.name, 'list'))
      return fail('module', `You have no list named ${String(values.module).slice(0, 63)}.`);
    const problem = viewProblem(values.settings ?? {}, definition, context.actor);
    if (problem) fail('settings', problem);
  }
  if (!previousRow) await assertFewViews(context);
  return {
    ...(values.audience !== 'role' && { role_id: null }),
    ...((values.settings ?? null) === null && { settings: {} }),
  };
};

/** Two that are saved at once are counted one after the other. */
async function assertFewViews({ trx, actor, values, fail }: HookContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${actor.id}`}, 0))`.execute(trx);
  const row = oneRow(
    await sql<{ count: number }>`select count(*)::integer as count from public.views
    where created_by = ${actor.id} and module = ${values.module}`.execute(trx),
  );
  if (row.count >= mostViews)
    fail('name', `You have ${mostViews} views of this list, which is the most. Delete one that you no longer need.`);
}

/** The hook that the definition of views names. */
export const viewHooks = { guardView };
