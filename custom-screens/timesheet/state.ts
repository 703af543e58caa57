import { isDate } from '../../src/engine/formats/dates';
import { readId } from '../../src/engine/field-types/relation';
import type { GraphView } from '../../src/app/preferences/remembered';
import { isMonth, monthOf } from './months';

/** What the timesheet shows, as its address says it. */
export interface TimesheetState {
  /** `YYYY-MM`; where a day is shown, the one that it lies in. */
  readonly month: string;
  /** The day that is shown hour by hour; null: the month. */
  readonly day: string | null;
  /** Null: whatever the user chose last. A day is shown on the calendar alone. */
  readonly view: GraphView | null;
  /** The hours of everybody instead of one's own; a chosen person goes before it. */
  readonly everybody: boolean;
  /** Ids, by the names of the filters. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Reads an address. What makes no sense, or is not among the filters' names, is left out; without a month it is today's. */
export function readState(query: URLSearchParams, names: readonly string[], today: string): TimesheetState {
  const asked = query.get('day');
  const day = asked !== null && isDate(asked) ? asked : null;
  const month = query.get('month');
  const view = query.get('view');
  const filters = names.flatMap((name) => {
    const id = readId(query.get(name) ?? '');
    return id === undefined ? [] : [[name, id] as const];
  });
  return {
    month: day ? monthOf(day) : month !== null && isMonth(month) ? month : monthOf(today),
    day,
    view: day || view === 'list' ? 'list' : view === 'graph' ? 'graph' : null,
    everybody:
      query.get('everybody') === '1' && names.includes('user_id') && !filters.some(([name]) => name === 'user_id'),
    filters: Object.fromEntries(filters),
  };
}

/** The address of a state, as a query without `?`. */
export function writeState({ month, day, view, everybody, filters }: TimesheetState): string {
  const query = new URLSearchParams(day ? { day } : { month });
  if (view) query.set('view', view);
  for (const [name, id] of Object.entries(filters)) if (id !== undefined) query.set(name, String(id));
  if (everybody && filters.user_id === undefined) query.set('everybody', '1');
  return query.toString();
}

/** Whose hours a state shows, as the call takes it; undefined: the caller's own. */
export function userOf({ everybody, filters }: TimesheetState): string | undefined {
  if (filters.user_id !== undefined) return String(filters.user_id);
  return everybody ? 'all' : undefined;
}

/** The filters of a state alone, as they are remembered. */
export function writeFilters({ filters }: TimesheetState): string {
  return new URLSearchParams(Object.entries(filters).map(([name, id]) => [name, String(id)])).toString();
}
