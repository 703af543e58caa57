import type { Field } from '../definitions/definition';
import { ownProperty } from '../values/lookups';
import { parentFieldsOf } from './dependent-fields';

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
