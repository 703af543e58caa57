import type { Actor } from '../../../engine/access/actor';
import { decide } from '../../../engine/access/decide';
import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { mayMove } from '../../../engine/lists/kanban';
import { isArchived } from '../../../engine/lists/row-actions';

/** Why the actor cannot move a record to another column, in words; undefined where they can. */
export function hindrance(
  definition: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  actor: Actor,
): string | undefined {
  if (mayMove(definition, kanban, record, actor)) return undefined;
  const { one, many } = definition.labels;
  const label = definition.fields[kanban.column]!.label.toLowerCase();
  if (isArchived(record)) return `Archived ${many.toLowerCase()} stay where they are.`;
  const decision = decide(actor, definition, 'edit');
  if (!decision.allowed) return `You may look at ${many.toLowerCase()}, but not change their ${label}.`;
  const reason = decision.rules.find(({ reason: why }) => why)?.reason;
  return `You may not change the ${label} of this ${one.toLowerCase()}${reason ? ` (you may change ${many.toLowerCase()} ${reason})` : ''}.`;
}
