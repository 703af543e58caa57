import { summed, type Group } from '../../aggregates/figures';
import type { Option } from '../../aggregates/options';

/** An option of a chart; without an id it stands for records that have none. */
export interface Part extends Omit<Option, 'id'> {
  readonly id: number | null;
}

/** The options by which groups are divided, and one for records that have none, where there are such. */
export function partsOf(options: readonly Option[], groups: readonly Group<string>[], key = 0): readonly Part[] {
  const hasNone = groups.some(({ keys }) => keys[key] === null);
  return hasNone ? [...options, { id: null, title: 'None' }] : options;
}

/** A figure of the groups whose keys are these; a key that is left out may be any. */
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
