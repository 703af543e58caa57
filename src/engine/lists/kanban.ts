import type { Actor } from '../access/actor';
import { allowedFields } from '../access/decide';
import { holds } from '../conditions/evaluate';
import type { Surroundings } from '../conditions/variables';
import type { Definition, Kanban, ResourceRecord } from '../definitions/definition';
import { mayRequest } from './row-actions';

/** Whether a record's date was missed. */
export function isLate(kanban: Kanban, record: ResourceRecord): boolean {
  return kanban.late !== undefined && record[kanban.late] === true;
}

/** Whether the actor can move a record on the board: make its request and set the column's field. */
export function mayMove(
  definition: Definition,
  kanban: Kanban,
  record: ResourceRecord,
  actor: Actor,
  surroundings: Surroundings,
): boolean {
  if (!mayRequest(definition, record, actor, surroundings)) return false;
  const visible = definition.requests[kanban.request]?.visible[kanban.column];
  if (visible && !holds(visible, record, { actor, ...surroundings })) return false;
  return allowedFields(actor, definition, 'edit', record, surroundings).has(kanban.column);
}

/** The request body for moving a record: the new column, and the text that was entered. */
export function moveBody(kanban: Kanban, column: number, text: string): ResourceRecord {
  return { [kanban.column]: column, [kanban.field]: text };
}
