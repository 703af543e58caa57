import type { Actor } from '../access/actor';
import { allowedFields } from '../access/access-decision';
import { canDo } from '../access/can-do';
import { matchesOnScreen } from '../conditions/match-on-screen';
import type { EvaluationContext } from '../conditions/variables';
import type { DaysView, Definition, ResourceRecord } from '../definitions/definition';
import { isArchived } from './row-actions';

/** An end of a bar of days. */
export type DaysEnd = 'start' | 'end';

/**
 * The ends of a record's bar in a calendar or timeline that the actor may change: those whose fields the actor may write
 * on this record. A bar is moved by changing both, so it stays where one of its two days is fixed.
 *
 * @example changeableEnds(tasks, tasks.list.calendar, task, actor, evaluationContext).has('end');
 */
export function changeableEnds(
  definition: Definition,
  days: DaysView,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): ReadonlySet<DaysEnd> {
  const changeableDays = new Set<DaysEnd>();
  if (actor.viewer || isArchived(record) || !canDo(actor, definition, 'edit', record, evaluationContext))
    return changeableDays;
  const writableFields = allowedFields(actor, definition, 'edit', record, evaluationContext);
  const actorContext = { actor, ...evaluationContext };
  for (const end of ['start', 'end'] as const) {
    const field = definition.fields[days[end] ?? ''];
    if (!field || field.readOnly || !writableFields.has(field.name)) continue;
    if (field.readOnlyWhen && matchesOnScreen(definition, field.readOnlyWhen, record, actorContext)) continue;
    changeableDays.add(end);
  }
  return changeableDays;
}
