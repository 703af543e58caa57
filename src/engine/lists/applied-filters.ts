import { noBranch } from '../conditions/tree';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { formatDate } from '../formats/dates';
import { fieldTypeOf } from '../field-types';
import { columnFilter, type FilterInput } from './filter-inputs';
import { resolveFilterName, textOfFilter } from './filter-text';
import { propertyOf, firstOf, itemAt } from '../values/lookups';

/** A chip below the toolbar: one filter that is in force. */
export interface AppliedFilter {
  readonly label: string;
  /** The names that are cleared when the filter is removed. */
  readonly keys: readonly string[];
  /** The value as text; null for records, whose titles are not known here. */
  readonly text: string | null;
  /** Ids of records of `to`, if `text` is null. */
  readonly ids: readonly number[];
  readonly input?: FilterInput;
}

/**
 * The active filters, in the order of the inputs, followed by others, such as those from a link.
 *
 * @example appliedFilters({ status_id: [3] }, inputs, definition); // one filter, with its input
 */
export function appliedFilters(
  filters: Readonly<ResourceRecord>,
  inputs: readonly FilterInput[],
  definition: Definition,
): AppliedFilter[] {
  const knownKeys = new Set(inputs.flatMap(({ keys }) => keys));
  const otherInputs = new Map<string, FilterInput>();
  for (const name of Object.keys(filters)) {
    if (knownKeys.has(name)) continue;
    const input = inputByName(name, definition);
    if (input) otherInputs.set(input.name, input);
  }
  return [...inputs, ...otherInputs.values()]
    .filter(({ keys }) => keys.some((key) => filters[key] !== undefined))
    .map((input) => describeFilter(input, filters));
}

function inputByName(name: string, definition: Definition): FilterInput | undefined {
  const target = resolveFilterName(name, definition);
  if (target?.field) {
    const input = columnFilter(target.field);
    return target.end || input.kind === 'records' ? input : { ...input, keys: [name] };
  }
  if (!target?.parameter) return undefined;
  const { label, resource } = propertyOf(definition.parameters, name);
  return { name, label: label ?? name, kind: resource ? 'records' : 'text', keys: [name], many: false, to: resource };
}

function describeFilter(input: FilterInput, filters: Readonly<ResourceRecord>): AppliedFilter {
  const { label, keys } = input;
  if (input.name === 'archive') return { label: 'Show', keys, text: 'Archived', ids: [], input };
  const base = { label, keys, input };
  if (keys.length === 2)
    return { ...base, text: rangeText(input, filters[firstOf(keys)], filters[itemAt(keys, 1)]), ids: [] };
  const value = filters[firstOf(keys)];
  if (input.kind === 'records' && value !== noBranch) return { ...base, text: null, ids: [value].flat().map(Number) };
  return {
    ...base,
    text: [value]
      .flat()
      .map((member) => valueText(input, member))
      .join(', '),
    ids: [],
  };
}

function rangeText(input: FilterInput, start: unknown, end: unknown): string {
  if (start === undefined) return `until ${valueText(input, end)}`;
  if (end === undefined) return `from ${valueText(input, start)}`;
  return start === end ? valueText(input, start) : `${valueText(input, start)} – ${valueText(input, end)}`;
}

function valueText(input: FilterInput, value: unknown): string {
  if (input.kind === 'flag') return value === 1 || value === true ? 'Yes' : 'No';
  if (input.kind === 'date') return formatDate(String(value));
  const text = textOfFilter(value);
  return input.field ? fieldTypeOf(input.field).toText(text, input.field) : String(text);
}
