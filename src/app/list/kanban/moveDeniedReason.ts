import type { Actor } from '../../../engine/access/actor';
import { decideAccess } from '../../../engine/access/access-decision';
import type { EvaluationContext } from '../../../engine/conditions/variables';
import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { canMove } from '../../../engine/lists/kanban';
import { isArchived } from '../../../engine/lists/row-actions';
import { fieldOf } from '../../../engine/definitions/accessors';

/** Why the user cannot move a record to another column, as text that follows a colon; undefined if they can. */
export function moveDeniedReason(
  definition: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): string | undefined {
  const { viewer, ...realActor } = actor;
  if (viewer)
    return (
      moveDeniedReason(definition, kanban, record, realActor, { ...evaluationContext, actor: realActor }) ??
      'you are viewing as another user, so nothing can be saved.'
    );
  if (canMove(definition, kanban, record, actor, evaluationContext)) return undefined;
  const plural = definition.labels.many.toLowerCase();
  const label = fieldOf(definition, kanban.column).label.toLowerCase();
  if (isArchived(record)) return `archived ${plural} stay where they are.`;
  const decision = decideAccess(actor, definition, 'edit');
  if (!decision.allowed) return `you can view ${plural}, but not change them.`;
  const reason = decision.rules.find((rule) => rule.reason)?.reason;
  return reason ? `you can change ${plural} ${reason}.` : `you can't change their ${label}.`;
}
