import type { ImportDefinition, ResourceRecord } from '../definitions/definition';
import { propertyOf } from '../values/lookups';

/**
 * The field of the imported record that a value of a record to make stands for; undefined: it is the value itself.
 *
 * @example formFieldOf('$form.project_id'); // 'project_id'
 */
export function formFieldOf(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\$form\.(\w+)$/.exec(value)?.[1] : undefined;
}

/**
 * The values, besides its title, of a record that an import makes for a relation.
 *
 * @example createdValues(definition.import, 'module_id', { project_id: 7 }); // { project_id: 7 }
 */
export function createdValues(
  { creates: createdFields }: ImportDefinition,
  name: string,
  record: ResourceRecord,
): ResourceRecord {
  return Object.fromEntries(
    Object.entries(propertyOf(createdFields, name)).map(([fieldName, value]) => {
      const formField = formFieldOf(value);
      return [fieldName, formField === undefined ? value : (record[formField] ?? null)];
    }),
  );
}
