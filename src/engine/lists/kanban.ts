import type { Actor } from '../access/actor';
import { allowedFields } from '../access/access-decision';
import { canDo } from '../access/can-do';
import { matchesOnScreen } from '../conditions/match-on-screen';
import { mayMatch } from '../conditions/may-match';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, Kanban, ResourceRecord } from '../definitions/definition';
import { transitionErrors } from '../validation/transitions';
import { canRequest, isArchived } from './row-actions';
import { fieldOf } from '../definitions/accessors';
import { propertyOf } from '../values/lookups';

/**
 * Whether a record's date was missed.
 *
 * @example isLate(kanban, task);
 */
export function isLate(kanban: Kanban, record: ResourceRecord): boolean {
  return kanban.overdue !== undefined && record[kanban.overdue] === true;
}

/**
 * Whether the actor can move a record on the board: make its request, or edit it, and set the column's field.
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
  const actorContext = { actor, ...evaluationContext };
  if (kanban.request === undefined) {
    const { readOnlyWhen } = fieldOf(definition, kanban.column);
    if (isArchived(record) || !canDo(actor, definition, 'edit', record, evaluationContext)) return false;
    if (readOnlyWhen && matchesOnScreen(definition, readOnlyWhen, record, actorContext)) return false;
  } else {
    const request = definition.requests[kanban.request];
    if (!request || !canRequest(definition, request, record, actor, evaluationContext)) return false;
    const visible = request.visible[kanban.column];
    if (visible && !mayMatch(visible, record, actorContext)) return false;
  }
  return allowedFields(actor, definition, 'edit', record, evaluationContext).has(kanban.column);
}

/**
 * Whether the actor can put a record anywhere within its column by hand.
 *
 * @example canPlace(tasks, kanban, task, actor, evaluationContext);
 */
export function canPlace(
  definition: Definition,
  { order }: Kanban,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): boolean {
  if (order === undefined || isArchived(record) || !canDo(actor, definition, 'edit', record, evaluationContext))
    return false;
  return allowedFields(actor, definition, 'edit', record, evaluationContext).has(order);
}

/** The fields that a move to a column asks for, or the reason why it is not possible. */
export interface MoveCheck {
  readonly refusal?: string;
  /** Fields that must be filled in with the move. */
  readonly needs: readonly Field[];
}

/**
 * Whether a record can be moved to a column of the board by the transitions of its field.
 *
 * @example checkMove(loans, kanban, loan, { id: 'approved' }, actor, evaluationContext).refusal; // 'State cannot change from …'
 */
export function checkMove(
  { fields }: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  column: BoardColumn,
  actor: Actor,
  evaluationContext: EvaluationContext,
): MoveCheck {
  const field = propertyOf(fields, kanban.column);
  const { id, state } = column;
  if (id === null && field.requiredInForm) return { refusal: `${field.label} is required.`, needs: [] };
  const values = { ...record, [field.name]: id };
  const { [field.name]: refusal, ...otherErrors } = transitionErrors(fields, field, values, {
    ...evaluationContext,
    actor,
    record,
    ...(state !== undefined && { states: { [field.name]: new Map([[id, { name: state }]]) } }),
  });
  const neededFields = Object.keys(otherErrors).flatMap((name) => fields[name] ?? []);
  return refusal === undefined ? { needs: neededFields } : { refusal, needs: [] };
}

/** A column of a board: the id of a record, the value of an option, or null for the records without one. */
export type BoardColumnId = number | string | null;

/**
 * Whether records may have no value of a board's field, so that they need a column of their own.
 *
 * @example hasEmptyColumn(tasks.fields.milestone_id); // true
 */
export function hasEmptyColumn({ required: isRequired, initial }: Field): boolean {
  return !isRequired && initial === undefined;
}

/** A column, with the state that its record is, where the field has transitions between records. */
export interface BoardColumn {
  readonly id: BoardColumnId;
  readonly state?: string;
}

/**
 * The body for moving a record: the new column, and what was entered.
 *
 * @example moveRequestBody(kanban, 3, { comment: 'Ready for a test' }); // { status_id: 3, comment: 'Ready for a test' }
 */
export function moveRequestBody(
  kanban: Kanban,
  column: BoardColumnId,
  entered: Readonly<ResourceRecord>,
): ResourceRecord {
  return { [kanban.column]: column, ...entered };
}
