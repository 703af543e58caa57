import type { Condition } from '../definitions/definition';
import type { ListSource, Source } from '../language/source';
import { updateObject, setAtPath } from './set-at-path';

/** A filter as the visual editor shows it. */
export interface FilterView {
  readonly name: string;
  /** The field or parameter that it sets. */
  readonly field: string;
  readonly label?: string;
  readonly multiple: boolean;
  readonly range: boolean;
  readonly allLabel?: string;
  readonly choices?: Condition;
}

/**
 * The inputs of the Filters dialog, in order.
 *
 * @example readFilters(source).map(({ name }) => name); // ['project_id']
 */
export function readFilters(source: Source): FilterView[] {
  return Object.entries(source.list?.filters ?? {}).map(([name, filter]) => ({
    ...filter,
    name,
    field: filter.field ?? name,
    multiple: filter.multiple ?? false,
    range: filter.range ?? false,
  }));
}

/**
 * The definition with these filters; defaults are left out, and unchanged parts stay as written.
 *
 * @example writeFilters(source, readFilters(source)); // the same definition
 */
export function writeFilters(source: Source, filters: readonly FilterView[]): Source {
  const oldFilters = source.list?.filters ?? {};
  if (filters.length === 0 && Object.keys(oldFilters).length === 0) return source;
  const filterEntries = filters.map(({ name, field, label, multiple, range, allLabel, choices }) => [
    name,
    updateObject(
      Object.hasOwn(oldFilters, name) ? oldFilters[name] : undefined,
      { field, label, multiple, range, allLabel, choices },
      { field: name, multiple: false, range: false },
    ),
  ]);
  const newFilters = Object.fromEntries(filterEntries) as NonNullable<ListSource['filters']>;
  return setAtPath(source, ['list', 'filters'], filters.length === 0 ? undefined : newFilters);
}
