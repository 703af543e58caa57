import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { realUser } from '../../src/engine/access/actor';
import type { Definition } from '../../src/engine/definitions/definition';
import { filterInputs } from '../../src/engine/lists/filter-inputs';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useFigures } from '../../src/app/charts/useFigures';
import { localToday } from '../../src/app/data/localTime';
import { usePage } from '../../src/app/layout/page';
import { useFilterTitles } from '../../src/app/list/filters/useFilterTitles';
import { useRestoredAddress } from '../../src/app/list/useRestoredAddress';
import { rememberedGraphView, rememberGraphView, type GraphView } from '../../src/app/preferences/rememberedScreens';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import type { TimesheetMonth } from './timesheetApi';
import { timesheetInputs } from './filters';
import { formatDecimalHours } from './hours';
import { addMonths, monthName, monthOf } from './months';
import { userParameter } from './timesheetState';
import { TimesheetTools } from './TimesheetTools';
import { screenName, useTimesheetState } from './useTimesheetState';
import { HoursScope } from './HoursScope';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './timesheet.module.css';

const MonthGrid = lazyComponent(() => import('./MonthGrid').then((module) => ({ default: module.MonthGrid })));
const DaySheet = lazyComponent(() => import('./DaySheet').then((module) => ({ default: module.DaySheet })));
const Graph = lazyComponent(() => import('./HoursGraph').then((module) => ({ default: module.HoursGraph })));

const title = 'My Timesheet';
const resource = 'time-logs';
const dependsOn = [resource];
const noIds: readonly number[] = [];
const noRows: readonly never[] = [];

/** Logged hours: by day on a calendar, or as the bars of a month. */
export default function Timesheet() {
  const definition = useDefinitions().registry.getOrThrow(resource);
  const returning = useRestoredAddress(screenName);
  return returning ? <TimesheetOpening /> : <TimesheetContent definition={definition} />;
}

function TimesheetOpening() {
  usePage({ title, flat: true });
  return null;
}

function TimesheetContent({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const person = realUser(actor).id;
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const inputs = useMemo(
    () => timesheetInputs(filterInputs(definition, registry, actor), actor.level),
    [actor, definition, registry],
  );
  const names = useMemo(() => inputs.map(({ name }) => name), [inputs]);
  const [state, change] = useTimesheetState(names);
  const view = state.view ?? rememberedGraphView(person, screenName);
  const today = localToday();
  // The graph has no future months.
  const month = view === 'graph' && state.month > monthOf(today) ? monthOf(today) : state.month;
  const user = userParameter(state);
  const query = new URLSearchParams({
    month,
    ...filterTexts(state.filters),
    ...(user !== undefined && { user_id: user }),
  });
  const { data, error, refetch } = useFigures<TimesheetMonth>(`/timesheet?${query}`, dependsOn);
  const sheet = data?.month === month ? data : undefined;
  const isOwn = user === undefined || Number(user) === actor.id;
  const ids = isOwn || user === 'all' ? noIds : [Number(user)];
  const { titles } = useFilterTitles(
    inputs.find(({ name }) => name === 'user_id'),
    ids,
    noRows,
  );
  const personName = titles.get(Number(user));
  usePage({
    title: isOwn
      ? title
      : user === 'all'
        ? 'Timesheet of everybody'
        : personName === undefined
          ? 'Timesheet'
          : `Timesheet of ${personName}`,
    note: sheet && `${formatDecimalHours(sheet.total)} in ${monthName(month, month.slice(0, 4) !== today.slice(0, 4))}`,
    flat: true,
  });

  const chooseView = (nextView: GraphView) => {
    rememberGraphView(person, screenName, nextView);
    change((stateBefore) => ({ ...stateBefore, view: nextView, ...(nextView === 'graph' && { day: null, month }) }));
  };
  const openDay = (day: string) =>
    change((stateBefore) => ({ ...stateBefore, day, month: monthOf(day), view: 'list' }));
  const calendar = { definition, sheet, today, isOwn, includesEveryone: user === 'all' };
  return (
    <>
      <TimesheetTools
        {...{
          definition,
          state,
          change,
          inputs,
          view,
          month,
          today,
          isPhone,
          sheet,
          chooseView,
        }}
      />
      <HoursScope
        state={state}
        canSeeEveryone={names.includes('user_id')}
        onIncludesEveryoneChange={(includesEveryone) => change((stateBefore) => ({ ...stateBefore, includesEveryone }))}
      />
      <div className={styles.timesheetBox} data-view={view} aria-busy={!sheet}>
        {error && !sheet ? (
          <FailedState
            title="The timesheet could not be loaded"
            message={error.message}
            onRetry={() => void refetch()}
          />
        ) : (
          <LoadingFallback
            fallback={
              <Box
                className={statesStyles.skeleton}
                component="span"
                sx={{ flex: 1, borderRadius: '0' }}
                aria-hidden="true"
              />
            }
          >
            {view === 'graph' ? (
              <Graph
                {...{
                  sheet,
                  month,
                  filters: state.filters,
                  includesEveryone: user === 'all',
                  openDay,
                }}
              />
            ) : state.day ? (
              <DaySheet {...calendar} day={state.day} />
            ) : (
              <MonthGrid
                {...calendar}
                month={month}
                openDay={openDay}
                step={(count) =>
                  change((stateBefore) => ({ ...stateBefore, month: addMonths(stateBefore.month, count) }))
                }
              />
            )}
          </LoadingFallback>
        )}
      </div>
    </>
  );
}

function filterTexts(filters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, id]) => [name, String(id)]));
}
