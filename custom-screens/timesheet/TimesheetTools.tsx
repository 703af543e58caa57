import { useCallback, useMemo } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import type { FilterInput } from '../../src/engine/lists/filter-inputs';
import type { ListState } from '../../src/engine/lists/list-state';
import { AppliedFilters } from '../../src/app/list/AppliedFilters';
import { FiltersButton } from '../../src/app/list/filters/FiltersButton';
import { ResourceListProvider } from '../../src/app/list/ResourceList';
import { noFixedFilter } from '../../src/app/list/useRecords';
import type { ChangeList } from '../../src/app/list/useListState';
import type { GraphView } from '../../src/app/preferences/rememberedScreens';
import { Download } from './Download';
import type { TimesheetMonth } from './timesheetApi';
import { monthOf, addMonths, dayName, monthName } from './months';
import { daysOfWeek, firstDayOfWeekOf, weekName } from './weeks';
import { MonthPicker } from './MonthPicker';
import type { ChangeTimesheet, TimesheetState } from './useTimesheetState';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import * as styles from './timesheet.module.css';
import { Icon } from '../../src/app/icons/Icon';
import type { IconName } from '../../src/app/icons/icons';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { addDays } from '../../src/engine/formats/dates';

interface PeriodNavigationProps {
  state: TimesheetState;
  change: ChangeTimesheet;
  today: string;
}

/** The month or day of the calendar, with buttons for the previous and the next one and for today. */
function PeriodNavigation({ state: { month, day, week }, change, today }: PeriodNavigationProps) {
  const unit = day ? 'day' : week ? 'week' : 'month';
  const step = (count: number) =>
    change((stateBefore) =>
      stateBefore.day
        ? withDay(stateBefore, addDays(stateBefore.day, count))
        : stateBefore.week
          ? withWeek(stateBefore, addDays(stateBefore.week, count * 7))
          : { ...stateBefore, month: addMonths(stateBefore.month, count) },
    );
  return (
    <div className={styles.timesheetSteps}>
      <h2 aria-live="polite">{day ? dayName(day) : week ? weekName(week) : monthName(month, true)}</h2>
      <IconButton aria-label={`Previous ${unit}`} title={`Previous ${unit}`} onClick={() => step(-1)}>
        <Icon name="chevron-left" />
      </IconButton>
      <IconButton aria-label={`Next ${unit}`} title={`Next ${unit}`} onClick={() => step(1)}>
        <Icon name="chevron-right" />
      </IconButton>
      <Button
        variant="outlined"
        onClick={() =>
          change((stateBefore) =>
            stateBefore.day
              ? withDay(stateBefore, today)
              : stateBefore.week
                ? withWeek(stateBefore, firstDayOfWeekOf(today))
                : { ...stateBefore, month: monthOf(today) },
          )
        }
      >
        Today
      </Button>
    </div>
  );
}

/** Today, or the first day of the week or month that is without it. */
function dayWithin(week: string | null, month: string, today: string): string {
  if (week) return daysOfWeek(week).includes(today) ? today : week;
  return month === monthOf(today) ? today : `${month}-01`;
}

const withDay = (state: TimesheetState, day: string): TimesheetState => ({
  ...state,
  day,
  week: null,
  month: monthOf(day),
});
const withWeek = (state: TimesheetState, week: string): TimesheetState => ({
  ...state,
  day: null,
  week,
  month: monthOf(week),
});

interface TimesheetToolsProps {
  definition: Definition;
  state: TimesheetState;
  change: ChangeTimesheet;
  inputs: readonly FilterInput[];
  view: GraphView;
  /** The month that is shown. */
  month: string;
  today: string;
  isPhone: boolean;
  sheet?: TimesheetMonth;
  chooseView: (view: GraphView) => void;
}

const scales = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'day', label: 'Day' },
] as const;
const views = [
  { value: 'list', label: 'Calendar', icon: 'calendar' },
  { value: 'graph', label: 'Graph', icon: 'bar-chart' },
] as const;

/** The toolbar: the period and the filters on the left, the views and the download on the right. */
export function TimesheetTools({
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
}: TimesheetToolsProps) {
  const listStateOf = useCallback(
    ({ filters }: TimesheetState): ListState => ({
      filters,
      q: '',
      sort: definition.list.sort,
      page: 1,
      view: null,
      tab: null,
    }),
    [definition],
  );
  const list = useMemo(() => listStateOf(state), [listStateOf, state]);
  const changeFilters = useCallback<ChangeList>(
    (make) => change((stateBefore) => ({ ...stateBefore, filters: make(listStateOf(stateBefore)).filters })),
    [listStateOf, change],
  );
  // There is room for one filter in the toolbar.
  const fitsToolbar = !isPhone && Object.keys(state.filters).length < 2;
  const chooseScale = (scale: 'week' | 'month' | 'day') =>
    change((stateBefore) => {
      const day = stateBefore.day ?? dayWithin(stateBefore.week, month, today);
      if (scale === 'day') return withDay(stateBefore, day);
      if (scale === 'week') return withWeek(stateBefore, firstDayOfWeekOf(day));
      return { ...stateBefore, day: null, week: null, month: monthOf(day) };
    });
  return (
    <ResourceListProvider
      {...{ definition, inputs, isPhone }}
      state={list}
      change={changeFilters}
      view="list"
      fixedValues={noFixedFilter}
    >
      <div
        className={`${toolbarStyles.listTools} ${styles.timesheetTools}`}
        role="toolbar"
        aria-label="Timesheet tools"
      >
        {view === 'graph' ? (
          <MonthPicker
            month={month}
            last={monthOf(today)}
            onPick={(pickedMonth) => change((stateBefore) => ({ ...stateBefore, month: pickedMonth }))}
          />
        ) : (
          <PeriodNavigation {...{ state, change, today }} />
        )}
        <FiltersButton title="List Filters" />
        {fitsToolbar && <AppliedFilters isSingle />}
        <span className={toolbarStyles.listGrow} />
        {view === 'list' && (
          <ViewSwitch
            label="Scale"
            choices={scales}
            value={state.day ? 'day' : state.week ? 'week' : 'month'}
            onChoose={chooseScale}
          />
        )}
        <ViewSwitch label="View" choices={views} value={view} short={isPhone} onChoose={chooseView} />
        <Download
          {...{ definition, month, sheet }}
          filters={state.filters}
          includesEveryone={state.includesEveryone}
          short={isPhone}
        />
      </div>
      {!fitsToolbar && <AppliedFilters />}
    </ResourceListProvider>
  );
}

interface ViewSwitchProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; label: string; icon?: IconName }[];
  value: Value;
  /** Shows the icons only. */
  short?: boolean;
  onChoose: (value: Value) => void;
}

/** A group of buttons of which one is active. */
function ViewSwitch<Value extends string>({ label, choices, value, short, onChoose }: ViewSwitchProps<Value>) {
  return (
    <span className={`${toolbarStyles.listViews} ${styles.timesheetViews}`} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={value === choice.value}
          aria-label={short ? choice.label : undefined}
          title={choice.icon && choice.label}
          onClick={() => value !== choice.value && onChoose(choice.value)}
        >
          {choice.icon && <Icon name={choice.icon} />}
          {!short && <span className={choice.icon && styles.timesheetLabel}>{choice.label}</span>}
        </button>
      ))}
    </span>
  );
}
