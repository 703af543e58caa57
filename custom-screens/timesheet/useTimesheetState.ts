import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { realUser } from '../../src/engine/access/actor';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { localToday } from '../../src/app/data/localTime';
import { rememberAddress } from '../../src/app/preferences/lastAddress';
import { rememberChange, rememberedGraphView, type GraphView } from '../../src/app/preferences/rememberedScreens';
import { isDate } from '../../src/engine/formats/dates';
import { parseId } from '../../src/engine/field-types/relation';
import { isMonth, monthOf } from './months';
import { firstDayOfWeekOf } from './weeks';

/** The name under which the screen's choices are remembered. */
export const screenName = 'timesheet';

export type ChangeTimesheet = (make: (state: TimesheetState) => TimesheetState) => void;

/** The timesheet's state, kept in the address, and a function to change it. `names`: the available filters. */
export function useTimesheetState(names: readonly string[]): [TimesheetState, ChangeTimesheet] {
  const person = realUser(useDefinitions().actor).id;
  const { search } = useLocation();
  const navigate = useNavigate();
  const today = localToday();
  const state = useMemo(() => readTimesheetState(new URLSearchParams(search), names, today), [names, search, today]);

  useEffect(() => {
    rememberAddress(person, screenName, search.slice(1));
  }, [person, search]);

  const change = useCallback<ChangeTimesheet>(
    (make) => {
      // Reads the current address, not the state of this render, so that two changes in a row both apply.
      const now = readTimesheetState(new URLSearchParams(window.location.search), names, localToday());
      const nextState = make(now);
      rememberChange(person, screenName, writeFilters(now), writeFilters(nextState));
      // The view is in the address too, so that a shared link shows what its sender saw.
      const next = `?${writeTimesheetState({ ...nextState, view: nextState.view ?? rememberedGraphView(person, screenName) })}`;
      if (next !== window.location.search) void navigate({ search: next });
    },
    [person, names, navigate],
  );
  return [state, change];
}

/** The state of the timesheet, kept in its address. */
export interface TimesheetState {
  /** `YYYY-MM`; if a week or a day is shown, its month. */
  readonly month: string;
  /** The day that is shown by hour; null: the month. */
  readonly day: string | null;
  /** The first day of the week that is shown by task; null: the month or a day. */
  readonly week: string | null;
  /** Null: the view that the user chose last. A day is shown on the calendar only. */
  readonly view: GraphView | null;
  /** Whether to show everybody's hours instead of the user's own; a chosen person takes precedence. */
  readonly includesEveryone: boolean;
  /** Ids, by the names of the filters. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Reads the state from an address. Invalid values and unknown filters are ignored; the default is the current month. */
export function readTimesheetState(query: URLSearchParams, names: readonly string[], today: string): TimesheetState {
  const requestedDay = query.get('day');
  const day = requestedDay !== null && isDate(requestedDay) ? requestedDay : null;
  const requestedWeek = query.get('week');
  const week = !day && requestedWeek !== null && isDate(requestedWeek) ? firstDayOfWeekOf(requestedWeek) : null;
  const month = query.get('month');
  const view = query.get('view');
  const filters = names.flatMap((name) => {
    const id = parseId(query.get(name) ?? '');
    return id === undefined ? [] : [[name, id] as const];
  });
  return {
    month: day || week ? monthOf(day ?? String(week)) : month !== null && isMonth(month) ? month : monthOf(today),
    day,
    week,
    view: day || week || view === 'list' ? 'list' : view === 'graph' ? 'graph' : null,
    includesEveryone:
      query.get('everybody') === '1' && names.includes('user_id') && !filters.some(([name]) => name === 'user_id'),
    filters: Object.fromEntries(filters),
  };
}

/** The query of a state's address, without `?`. */
export function writeTimesheetState({ month, day, week, view, includesEveryone, filters }: TimesheetState): string {
  const query = new URLSearchParams(day ? { day } : week ? { week } : { month });
  if (view) query.set('view', view);
  for (const [name, id] of Object.entries(filters)) if (id !== undefined) query.set(name, String(id));
  if (includesEveryone && filters.user_id === undefined) query.set('everybody', '1');
  return query.toString();
}

/** The `user_id` parameter of the API call for a state; undefined: the caller's own hours. */
export function userParameter({ includesEveryone, filters }: TimesheetState): string | undefined {
  if (filters.user_id !== undefined) return String(filters.user_id);
  return includesEveryone ? 'all' : undefined;
}

/** The filters of a state as a query, as they are remembered. */
export function writeFilters({ filters }: TimesheetState): string {
  return new URLSearchParams(Object.entries(filters).map(([name, id]) => [name, String(id)])).toString();
}
