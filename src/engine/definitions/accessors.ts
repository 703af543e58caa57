import { MissingValueError, requireValue } from '../values/lookups';
import type { Definition, ImportDefinition } from './definition';
import type { Field } from './field';

/**
 * A field that the definition has.
 *
 * @example fieldOf(definition, 'status_id').label;
 */
export function fieldOf(
  { name, fields }: { readonly name?: string; readonly fields: Readonly<Record<string, Field>> },
  fieldName: string,
): Field {
  if (!Object.hasOwn(fields, fieldName)) {
    throw new MissingValueError(`${name ?? 'The definition'} has no field "${fieldName}"`);
  }
  return fields[fieldName] as Field;
}

/**
 * The import of a definition that has one.
 *
 * @example importOf(definition).columns.map(({ field }) => field);
 */
export function importOf({ name, import: definitionOfImport }: Pick<Definition, 'name' | 'import'>): ImportDefinition {
  return requireValue(definitionOfImport, `the import of ${name}`);
}

/**
 * The comments of a definition whose records have them.
 *
 * @example commentsOf(definition).watchers;
 */
export function commentsOf({
  name,
  comments,
}: Pick<Definition, 'name' | 'comments'>): NonNullable<Definition['comments']> {
  return requireValue(comments, `the comments of ${name}`);
}

/**
 * The id of a stored record.
 *
 * @example idOf({ id: 7, title: 'Login' }); // 7
 */
export function idOf({ id }: { readonly id?: unknown }): number {
  if (typeof id !== 'number') throw new MissingValueError(`A stored record has no id: ${String(id)}`);
  return id;
}

/**
 * The company that a record belongs to; null: none, for records of the installation. The record was read with `site_id`.
 *
 * @example companyOf({ id: 7, site_id: 2 }); // 2
 */
export function companyOf({ site_id: company }: { readonly site_id?: unknown }): number | null {
  return typeof company === 'number' ? company : null;
}
