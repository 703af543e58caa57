import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { realUser } from '../../src/engine/access/actor';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { localToday } from '../../src/app/data/localTime';
import { rememberAddress } from '../../src/app/preferences/lastAddress';
import { rememberChange, rememberedGraphView } from '../../src/app/preferences/rememberedScreens';
import { readTimesheetState, writeFilters, writeTimesheetState, type TimesheetState } from './timesheetState';

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
