import type { Field } from '../../../engine/definitions/definition';

/**
 * The icon and the words of a command that sets a field of a record; the field that says who has the record is assigned.
 *
 * @example setFieldText(definition.fields.status_id, person); // { icon: 'pencil', label: 'Set status…' }
 */
export function setFieldText(field: Field, person: Field | undefined): { icon: string; label: string } {
  if (field === person) return { icon: 'user', label: 'Assign…' };
  return { icon: 'pencil', label: `Set ${field.label.toLowerCase()}…` };
}
