import type { Actor } from '../access/actor';
import { allowedFields } from '../access/access-decision';
import { mayMatch } from '../conditions/may-match';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Kanban, ResourceRecord } from '../definitions/definition';
import { canRequest } from './row-actions';

/**
 * Whether a record's date was missed.
 *
 * @example isLate(kanban, task);
 */
export function isLate(kanban: Kanban, record: ResourceRecord): boolean {
  return kanban.late !== undefined && record[kanban.late] === true;
}

/**
 * Whether the actor can move a record on the board: make its request and set the column's field.
 *
 * @example canMove(tasks, kanban, task, actor, evaluationContext);
 */
export function canMove(
  definition: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): boolean {
  const request = definition.requests[kanban.request];
  if (!request || !canRequest(definition, request, record, actor, evaluationContext)) return false;
  const visible = request.visible[kanban.column];
  if (visible && !mayMatch(visible, record, { actor, ...evaluationContext })) return false;
  return allowedFields(actor, definition, 'edit', record, evaluationContext).has(kanban.column);
}

/**
 * The request body for moving a record: the new column, and the text that was entered.
 *
 * @example moveRequestBody(kanban, 3, 'Ready for a test'); // { status_id: 3, comment: 'Ready for a test' }
 */
export function moveRequestBody(kanban: Kanban, column: number, text: string): ResourceRecord {
  return { [kanban.column]: column, [kanban.field]: text };
}
