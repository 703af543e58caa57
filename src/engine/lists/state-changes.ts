import { grantedFields } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Definition, Field, RowAction } from '../definitions/definition';

/**
 * The field with the state of a resource's records: the first with transitions that an actor may read.
 *
 * @example stateFieldOf(tickets, actor)?.name; // 'state'
 */
export function stateFieldOf(definition: Definition, actor: Actor): Field | undefined {
  const readableFields = grantedFields(actor, definition, 'view');
  return Object.values(definition.fields).find(
    ({ name, transitions }) => (transitions ?? []).length > 0 && readableFields.has(name),
  );
}

/**
 * Whether an action sets a field to a value that it names.
 *
 * @example actions.filter((action) => setsField(tickets, state, action));
 */
export function setsField({ requests }: Definition, { name }: Field, { request }: RowAction): boolean {
  return name in (requests[request ?? '']?.constants ?? {});
}
