import { variablesIn } from '../conditions/variables-in';
import type { Field } from '../definitions/definition';
import { ownProperty } from '../values/lookups';

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
 * The fields that a field's choices depend on, and all on which the choices of those depend.
 *
 * @example ancestorFieldsOf(tasks.fields, sub_module_id); // ['module_id', 'project_id']
 */
export function ancestorFieldsOf(fields: Readonly<Record<string, Field>>, field: Field): string[] {
  const names = new Set(parentFieldsOf(field));
  // A set also goes through what is added meanwhile.
  for (const name of names) {
    const ancestor = ownProperty(fields, name);
    if (ancestor) for (const parent of parentFieldsOf(ancestor)) names.add(parent);
  }
  return [...names];
}

/**
 * The fields whose choices depend on a field.
 *
 * @example dependentFieldsOf(fields, 'project_id').map(({ name }) => name); // ['module_id']
 */
export function dependentFieldsOf(fields: readonly Field[], name: string): Field[] {
  return fields.filter((field) => parentFieldsOf(field).includes(name));
}
