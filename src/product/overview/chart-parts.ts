import { sumMeasure, type MeasureGroup } from '../../server/aggregates/measures';
import type { GroupOption } from '../../server/aggregates/group-options';

/** An option of a chart; without an id it represents records without a value. */
export interface ChartPart extends Omit<GroupOption, 'id'> {
  readonly id: number | null;
}

/** The options of groups, plus one for records without a value, if there are any. */
export function chartParts(
  options: readonly GroupOption[],
  groups: readonly MeasureGroup<string>[],
  key = 0,
): readonly ChartPart[] {
  const hasNone = groups.some(({ keys }) => keys[key] === null);
  return hasNone ? [...options, { id: null, title: 'None' }] : options;
}

/** The sum of a figure over the groups with these keys; a missing key matches any. */
export function sumFor<Name extends string>(
  groups: readonly MeasureGroup<Name>[],
  name: Name,
  ...ids: readonly (number | null | undefined)[]
): number {
  return sumMeasure(
    groups.filter(({ keys }) => ids.every((id, index) => id === undefined || keys[index] === id)),
    name,
  );
}
