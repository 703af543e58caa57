import { variablesIn } from '../conditions/variables-in';
import type { Field } from '../definitions/definition';

/**
 * The fields of the same form that a field's choices depend on: the `$form.…` variables.
 *
 * @example parentFieldsOf({ choices: { project_id: '$form.project_id' } }); // ['project_id']
 */
export function parentFieldsOf({ choices }: Pick<Field, 'choices'>): string[] {
  const variables = choices ? [...variablesIn(choices)] : [];
  return variables
    .filter((variable) => variable.startsWith('$form.'))
    .map((variable) => variable.slice('$form.'.length));
}

/**
 * The fields whose choices depend on a field.
 *
 * @example dependentFieldsOf(fields, 'project_id').map(({ name }) => name); // ['module_id']
 */
export function dependentFieldsOf(fields: readonly Field[], name: string): Field[] {
  return fields.filter((field) => parentFieldsOf(field).includes(name));
}
