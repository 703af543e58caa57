import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { personOf } from '../../src/engine/access/actor';
import type { Definition } from '../../src/engine/definitions/definition';
import { filterInputs } from '../../src/engine/lists/filter-inputs';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { useFigures } from '../../src/app/charts/useFigures';
import { localToday } from '../../src/app/fields/localTime';
import { usePage } from '../../src/app/layout/page';
import { useTitles } from '../../src/app/list/filters/useTitles';
import { useReturning } from '../../src/app/list/useReturning';
import { rememberedGraphView, rememberGraphView, type GraphView } from '../../src/app/preferences/remembered';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/parts';
import type { Sheet } from './figures';
import { timesheetInputs } from './filters';
import { hoursInWords } from './hours';
import { addMonths, monthName, monthOf } from './months';
import { userOf } from './state';
import { Tools } from './Tools';
import { screen, useTimesheetState } from './useTimesheetState';
import { Whose } from './Whose';
import { lazyPart, Meanwhile } from '../../src/app/states/lazyPart';
import '../../src/app/list/list.css';
import './timesheet.css';

const MonthGrid = lazyPart(() => import('./MonthGrid').then((room) => ({ default: room.MonthGrid })));
const DaySheet = lazyPart(() => import('./DaySheet').then((room) => ({ default: room.DaySheet })));
const Graph = lazyPart(() => import('./Graph').then((room) => ({ default: room.Graph })));

const title = 'My Timesheet';
const resource = 'time-logs';
const about = [resource];
const noIds: readonly number[] = [];
const noRows: readonly never[] = [];

/** Logged hours: by day on a calendar, or as the bars of a month. */
export default function Timesheet() {
  const definition = useDefinitions().registry.need(resource);
  const returning = useReturning(screen);
  return returning ? <Opening /> : <Shown definition={definition} />;
}

function Opening() {
  usePage({ title, flat: true });
  return null;
}

function Shown({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const person = personOf(actor).id;
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const inputs = useMemo(
    () => timesheetInputs(filterInputs(definition, registry, actor), actor.level),
    [actor, definition, registry],
  );
  const names = useMemo(() => inputs.map(({ name }) => name), [inputs]);
  const [state, change] = useTimesheetState(names);
  const view = state.view ?? rememberedGraphView(person, screen);
  const today = localToday();
  // The graph has no future months.
  const month = view === 'graph' && state.month > monthOf(today) ? monthOf(today) : state.month;
  const user = userOf(state);
  const query = new URLSearchParams({
    month,
    ...textsOf(state.filters),
    ...(user !== undefined && { user_id: user }),
  });
  const { data, error, refetch } = useFigures<Sheet>(`/timesheet?${query}`, about);
  const sheet = data?.month === month ? data : undefined;
  const own = user === undefined || Number(user) === actor.id;
  const ids = own || user === 'all' ? noIds : [Number(user)];
  const { titles } = useTitles(
    inputs.find(({ name }) => name === 'user_id'),
    ids,
    noRows,
  );
  const whose = titles.get(Number(user));
  usePage({
    title: own
      ? title
      : user === 'all'
        ? 'Timesheet of everybody'
        : whose === undefined
          ? 'Timesheet'
          : `Timesheet of ${whose}`,
    note: sheet && `${hoursInWords(sheet.total)} in ${monthName(month, month.slice(0, 4) !== today.slice(0, 4))}`,
    flat: true,
  });

  const chooseView = (chosen: GraphView) => {
    rememberGraphView(person, screen, chosen);
    change((old) => ({ ...old, view: chosen, ...(chosen === 'graph' && { day: null, month }) }));
  };
  const openDay = (day: string) => change((old) => ({ ...old, day, month: monthOf(day), view: 'list' }));
  const calendar = { definition, sheet, today, own, everybody: user === 'all' };
  return (
    <>
      <Tools
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
      <Whose
        state={state}
        mayAll={names.includes('user_id')}
        onEverybody={(everybody) => change((old) => ({ ...old, everybody }))}
      />
      <div className="timesheet-box" data-view={view} aria-busy={!sheet}>
        {error && !sheet ? (
          <FailedState
            title="The timesheet could not be loaded"
            message={error.message}
            onRetry={() => void refetch()}
          />
        ) : (
          <Meanwhile fallback={<span className="skeleton timesheet-waiting" aria-hidden="true" />}>
            {view === 'graph' ? (
              <Graph
                {...{
                  sheet,
                  month,
                  filters: state.filters,
                  everybody: user === 'all',
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
                step={(count) => change((old) => ({ ...old, month: addMonths(old.month, count) }))}
              />
            )}
          </Meanwhile>
        )}
      </div>
    </>
  );
}

function textsOf(filters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, id]) => [name, String(id)]));
}
