import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { realUser } from '../../src/engine/access/actor';
import type { Definition } from '../../src/engine/definitions/definition';
import { filterInputs, type FilterInput } from '../../src/engine/lists/filter-inputs';
import { addDays } from '../../src/engine/formats/dates';
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
import { formatDecimalHours } from './hours';
import { addMonths, monthName, monthOf } from './months';
import {
  screenName,
  useTimesheetState,
  userParameter,
  writeTimesheetState,
  type TimesheetState,
} from './useTimesheetState';
import { daysOfWeek, weekName } from './weeks';
import { TimesheetTools } from './TimesheetTools';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './timesheet.module.css';
import { Level } from '../../src/engine/definitions/level';
import { firstOf } from '../../src/engine/values/lookups';
import Button from '@mui/material/Button';
import { Row } from '../../src/app/layout/Row';

/** The filters in their order, each with the highest level number that sees it. */
const filterLevels = [
  { name: 'client_id', level: Level.Owner },
  { name: 'user_id', level: Level.Manager },
  { name: 'project_id', level: Infinity },
];

/** The filters of the timesheet for a level: those of the list of time logs, limited to one record each. */
function timesheetInputs(inputs: readonly FilterInput[], level: number): FilterInput[] {
  return filterLevels.flatMap(({ name, level: last }) => {
    const input = inputs.find((candidate) => candidate.name === name);
    if (!input || level > last) return [];
    const isProjectOfClient = name === 'project_id' && level <= firstOf(filterLevels).level;
    return [{ ...input, many: false, choices: isProjectOfClient ? { client_id: '$form.client_id' } : undefined }];
  });
}

const MonthGrid = lazyComponent(() => import('./MonthGrid').then((module) => ({ default: module.MonthGrid })));
const DaySheet = lazyComponent(() => import('./DaySheet').then((module) => ({ default: module.DaySheet })));
const WeekSheet = lazyComponent(() => import('./WeekSheet').then((module) => ({ default: module.WeekSheet })));
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
  const monthAddress = (name: string) =>
    `/timesheet?${new URLSearchParams({
      month: name,
      ...filterTexts(state.filters),
      ...(user !== undefined && { user_id: user }),
    })}`;
  const monthFigures = useFigures<TimesheetMonth>(monthAddress(month), dependsOn);
  const sheet = monthFigures.data?.month === month ? monthFigures.data : undefined;
  // A week may end in the next month; otherwise this is the same query.
  const lastMonth = state.week ? monthOf(addDays(state.week, 6)) : month;
  const lastMonthFigures = useFigures<TimesheetMonth>(monthAddress(lastMonth), dependsOn);
  const lastSheet = lastMonthFigures.data?.month === lastMonth ? lastMonthFigures.data : undefined;
  const figures = lastMonth === month ? [monthFigures] : [monthFigures, lastMonthFigures];
  // Cells that are typed into are never those of the filters before.
  const isWeekLoaded = figures.every(({ isPlaceholderData }) => !isPlaceholderData);
  const weekMonths =
    isWeekLoaded && sheet && lastSheet ? (lastMonth === month ? [sheet] : [sheet, lastSheet]) : undefined;
  const failedFigures = figures.filter(({ isError }) => isError);
  const error = failedFigures[0]?.error;
  const isOwn = user === undefined || Number(user) === actor.id;
  const isNarrowed = Object.keys(state.filters).some((name) => name !== 'user_id');
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
    note: state.week
      ? weekMonths && hoursOfWeek(weekMonths, state.week, today)
      : sheet && `${formatDecimalHours(sheet.total)} in ${monthName(month, month.slice(0, 4) !== today.slice(0, 4))}`,
    flat: true,
  });

  const chooseView = (nextView: GraphView) => {
    rememberGraphView(person, screenName, nextView);
    change((stateBefore) => ({
      ...stateBefore,
      view: nextView,
      ...(nextView === 'graph' && { day: null, week: null, month }),
    }));
  };
  const openDay = (day: string) =>
    change((stateBefore) => ({ ...stateBefore, day, week: null, month: monthOf(day), view: 'list' }));
  const addressOf = (next: Partial<TimesheetState>) => `?${writeTimesheetState({ ...state, view: 'list', ...next })}`;
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
      <div className={styles.timesheetBox} data-view={state.week ? 'week' : view} aria-busy={!sheet}>
        {error && !(state.week ? weekMonths : sheet) ? (
          <FailedState
            title="The timesheet could not be loaded"
            message={error.message}
            onRetry={() => failedFigures.forEach(({ refetch }) => void refetch())}
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
            ) : state.week ? (
              <WeekSheet
                key={`${state.week} ${monthAddress('')}`}
                {...{ definition, today, monthAddress, isOwn, isNarrowed, months: weekMonths, week: state.week }}
                hasTargets={!isNarrowed && user !== 'all'}
                openMonth={addressOf({ week: null })}
                weekAddress={(week) => addressOf({ week })}
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

/** `34h this week`; of another one `34h, 23 to 29 November`. */
function hoursOfWeek(months: readonly TimesheetMonth[], week: string, today: string): string {
  const days = daysOfWeek(week);
  const total = months
    .flatMap((sheet) => sheet.days)
    .reduce((sum, { date, total: hours }) => sum + (days.includes(date) ? hours : 0), 0);
  return `${formatDecimalHours(total)}${days.includes(today) ? ' this week' : `, ${weekName(week)}`}`;
}

function filterTexts(filters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, id]) => [name, String(id)]));
}

interface HoursScopeProps {
  state: TimesheetState;
  /** Whether the actor may see the hours of others. */
  canSeeEveryone: boolean;
  onIncludesEveryoneChange: (includesEveryone: boolean) => void;
}

/** Says whose hours the timesheet of a client or project shows, with a button to show everybody's if the actor may see them. */
function HoursScope({
  state: { includesEveryone, filters },
  canSeeEveryone,
  onIncludesEveryoneChange,
}: HoursScopeProps) {
  const { user_id: user, ...otherFilters } = filters;
  if (user !== undefined || (Object.keys(otherFilters).length === 0 && !includesEveryone)) return null;
  return (
    <Row
      component="p"
      spacing={2}
      sx={{ flex: 'none', mx: 'var(--gutter)', mb: 2, color: 'var(--t2)', fontSize: 13 }}
      role="note"
    >
      {includesEveryone ? 'The hours of everybody.' : 'Your hours only.'}
      {canSeeEveryone && (
        <Button size="small" variant="text" onClick={() => onIncludesEveryoneChange(!includesEveryone)}>
          {includesEveryone ? 'Show my hours' : 'Show everybody’s hours'}
        </Button>
      )}
    </Row>
  );
}
