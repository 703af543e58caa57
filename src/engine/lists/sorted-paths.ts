import type { Definition, Field } from '../definitions/definition';
import { isRelation } from '../field-types/relation';

/** What a path such as `user.email` names: a relation, and a field of the records that it shows in lists. */
export interface SortedPath {
  readonly relation: Field;
  readonly shown: string;
}

/**
 * The relation and the field of a path by which a list can be sorted, as far as the list's own definition tells; undefined
 * for any other name.
 *
 * @example sortedPath('user.email', priorities)?.relation.name; // 'created_by'
 */
export function sortedPath(path: string, { fields }: Pick<Definition, 'fields'>): SortedPath | undefined {
  const [head = '', shown, ...further] = path.split('.');
  if (shown === undefined || further.length > 0) return undefined;
  const relation = Object.hasOwn(fields, head)
    ? fields[head]
    : Object.values(fields).find(({ embed }) => embed === head);
  const isShown = relation && isRelation(relation) && !relation.virtual && relation.embedFields.includes(shown);
  return isShown && relation.sortable ? { relation, shown } : undefined;
}

/** Whether a list can be sorted by a name: a sortable field, or a path through a relation. */
export function isSorted(name: string, definition: Pick<Definition, 'fields'>): boolean {
  if (Object.hasOwn(definition.fields, name)) return definition.fields[name]!.sortable;
  return sortedPath(name, definition) !== undefined;
}
