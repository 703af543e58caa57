import type { ResourceRecord } from '../definitions/definition';
import { isAnyRelation } from '../field-types/relation';
import { addDays, daysOfMonth } from '../formats/dates';
import { firstDayOfWeek } from '../formats/personal';
import { firstOf } from '../values/lookups';
import { parentInputsOf, type FilterInput } from './filter-inputs';

/** A span of days by its name; without a start or an end it is open there. */
export interface DayPreset {
  readonly label: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * The spans of days that are chosen by their names, as seen from a day (`YYYY-MM-DD`).
 *
 * @example dayPresets('2026-11-27')[0]; // { label: 'Today', from: '2026-11-27', to: '2026-11-27' }
 */
export function dayPresets(today: string): DayPreset[] {
  const day = (label: string, offset: number) => ({ label, from: addDays(today, offset), to: addDays(today, offset) });
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const monday = addDays(today, -((weekday - firstDayOfWeek() + 7) % 7));
  const week = (label: string, offset: number) => ({
    label,
    from: addDays(monday, offset * 7),
    to: addDays(monday, offset * 7 + 6),
  });
  const month = (label: string, dayWithin: string) => {
    const days = daysOfMonth(dayWithin.slice(0, 7));
    return { label, from: days?.first ?? dayWithin, to: days?.last ?? dayWithin };
  };
  const thisMonth = month('This month', today);
  return [
    day('Today', 0),
    day('Yesterday', -1),
    day('Tomorrow', 1),
    { label: 'Before today', to: addDays(today, -1) },
    week('This week', 0),
    week('Last week', -1),
    week('Next week', 1),
    thisMonth,
    month('Last month', addDays(thisMonth.from, -1)),
    month('Next month', addDays(thisMonth.to, 1)),
  ];
}

/**
 * Whether lists take several values of this filter, whatever its input in the dialog takes.
 *
 * @example takesSeveral(input); // true of a relation
 */
function takesSeveral({ many: isMany, field }: FilterInput): boolean {
  return isMany || (field !== undefined && (isAnyRelation(field) || field.options !== undefined));
}

/**
 * The filters of an input after one of its values was chosen or, if it was chosen before, given up. Days are chosen by a span.
 *
 * @example toggleValue(priority, { priority_id: 2 }, 1); // { priority_id: [2, 1] }
 */
export function toggleValue(input: FilterInput, filters: Readonly<ResourceRecord>, value: unknown): ResourceRecord {
  const isChosen = isValueChosen(input, filters, value);
  if (input.kind === 'date') {
    const days = daysOf(input, value as DayPreset);
    return Object.fromEntries(input.keys.map((key, index) => [key, isChosen ? undefined : days[index]]));
  }
  const key = firstOf(input.keys);
  const values = takesSeveral(input) ? valuesOf(filters[key]) : [];
  const next = isChosen ? values.filter((member) => String(member) !== String(value)) : [...values, value];
  return { [key]: next.length > 1 ? next : next[0] };
}

/**
 * Whether a value of an input is among the filters.
 *
 * @example isValueChosen(priority, { priority_id: [2, 1] }, 1); // true
 */
export function isValueChosen(input: FilterInput, filters: Readonly<ResourceRecord>, value: unknown): boolean {
  if (input.kind === 'date') {
    const days = daysOf(input, value as DayPreset);
    return input.keys.every((key, index) => filters[key] === days[index]);
  }
  return valuesOf(filters[firstOf(input.keys)]).some((member) => String(member) === String(value));
}

/** The values of the filters of a span: both ends, or its only day. */
const daysOf = ({ keys }: FilterInput, preset: DayPreset) =>
  keys.length === 2 ? [preset.from, preset.to] : [preset.to];

const valuesOf = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());

/**
 * A change of filters with those cleared whose choices depend on a changed one.
 *
 * @example withoutOrphans({ project_id: 7 }, { project_id: 3, module_id: 4 }, inputs); // { project_id: 7, module_id: undefined }
 */
export function withoutOrphans(
  newValues: Readonly<ResourceRecord>,
  filters: Readonly<ResourceRecord>,
  inputs: readonly FilterInput[],
): ResourceRecord {
  const next = { ...newValues };
  for (const input of inputs) {
    const isOrphaned = parentInputsOf(input).some((name) => name in next && next[name] !== filters[name]);
    if (isOrphaned) for (const key of input.keys) next[key] = undefined;
  }
  return next;
}
