import type { Condition } from '../definitions/definition';

/** The query name by which a list is filtered by a branch of the tree beside it. */
export const treeName = 'tree';

/** The value of `tree` for the records that are in no branch. */
export const noBranch = 'none';

/**
 * The condition of a branch of the tree beside a list: the first relation with a value is at or below the record.
 *
 * @example
 * treeCondition(['part_id', 'place_id'], 7);
 * // { $or: [{ part_id: { $below: 7 } }, { part_id: null, place_id: { $below: 7 } }] }
 */
export function treeCondition(fields: readonly string[], value: unknown): Condition {
  const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  if (value === noBranch) return empty(fields);
  return { $or: fields.map((name, index) => ({ ...empty(fields.slice(0, index)), [name]: { $below: value } })) };
}
