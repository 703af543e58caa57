import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { personOf } from '../../src/engine/access/actor';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { localToday } from '../../src/app/fields/localTime';
import { keepAddress } from '../../src/app/preferences/lastAddress';
import { rememberChange, rememberedGraphView } from '../../src/app/preferences/remembered';
import { readState, writeFilters, writeState, type TimesheetState } from './state';

/** Under this name the screen's choices are remembered. */
export const screen = 'timesheet';

export type ChangeTimesheet = (make: (state: TimesheetState) => TimesheetState) => void;

/** The timesheet's state, which is the address's, and the way to change it. `names` are those of the filters on offer. */
export function useTimesheetState(names: readonly string[]): [TimesheetState, ChangeTimesheet] {
  const person = personOf(useDefinitions().actor).id;
  const { search } = useLocation();
  const navigate = useNavigate();
  const today = localToday();
  const state = useMemo(() => readState(new URLSearchParams(search), names, today), [names, search, today]);

  useEffect(() => {
    keepAddress(person, screen, search.slice(1));
  }, [person, search]);

  const change = useCallback<ChangeTimesheet>(
    (make) => {
      // The address itself, not the state of this render: two changes in a row must both count.
      const now = readState(new URLSearchParams(window.location.search), names, localToday());
      const made = make(now);
      rememberChange(person, screen, writeFilters(now), writeFilters(made));
      // Said in the address, so that a link that is sent shows what its sender saw.
      const next = `?${writeState({ ...made, view: made.view ?? rememberedGraphView(person, screen) })}`;
      if (next !== window.location.search) void navigate({ search: next });
    },
    [person, names, navigate],
  );
  return [state, change];
}
