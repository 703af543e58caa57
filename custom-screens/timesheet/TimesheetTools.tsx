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
import { monthOf } from './months';
import { MonthPicker } from './MonthPicker';
import type { TimesheetState } from './timesheetState';
import { PeriodNavigation } from './PeriodNavigation';
import { ViewSwitch } from './ViewSwitch';
import type { ChangeTimesheet } from './useTimesheetState';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import * as styles from './timesheet.module.css';

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
  const chooseScale = (scale: 'month' | 'day') => {
    const day = scale === 'month' ? null : month === monthOf(today) ? today : `${month}-01`;
    change((stateBefore) => ({ ...stateBefore, day }));
  };
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
          <ViewSwitch label="Scale" choices={scales} value={state.day ? 'day' : 'month'} onChoose={chooseScale} />
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
