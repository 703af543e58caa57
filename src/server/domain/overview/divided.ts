import { summed, type Group } from '../../aggregates/figures';
import type { Option } from '../../aggregates/options';

/** An option of a chart; without an id it represents records without a value. */
export interface Part extends Omit<Option, 'id'> {
  readonly id: number | null;
}

/** The options of groups, plus one for records without a value, if there are any. */
export function partsOf(options: readonly Option[], groups: readonly Group<string>[], key = 0): readonly Part[] {
  const hasNone = groups.some(({ keys }) => keys[key] === null);
  return hasNone ? [...options, { id: null, title: 'None' }] : options;
}

/** The sum of a figure over the groups with these keys; a missing key matches any. */
export function figureOf<Name extends string>(
  groups: readonly Group<Name>[],
  name: Name,
  ...ids: readonly (number | null | undefined)[]
): number {
  return summed(
    groups.filter(({ keys }) => ids.every((id, index) => id === undefined || keys[index] === id)),
    name,
  );
}
