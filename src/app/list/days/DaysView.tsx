import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useState } from 'react';
import { grantedFields } from '../../../engine/access/access-decision';
import type { DaysView as Days } from '../../../engine/definitions/definition';
import { addDays } from '../../../engine/formats/dates';
import { formatNumber, formatTotal } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { lazyComponent, LoadingFallback } from '../../states/lazyComponent';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { useRecordCommands } from '../cards/useRecordCommands';
import { useResourceList } from '../ResourceList';
import { Agenda } from './Agenda';
import { scales, type Scale } from './scales';
import { daysCondition, withoutDaysCondition, type Grip, type Span } from './spans';
import { Timeline } from './Timeline';
import { useBars, type Bar, type DayItem } from './useBars';
import { useDayRecords } from './useDayRecords';
import { useSpanMoves, type SpanStep } from './useSpanMoves';
import { isPanelOpen, rememberPanel, WithoutDates } from './WithoutDates';
import * as toolbarStyles from '../toolbar.module.css';
import * as styles from './days.module.css';

const CalendarGrid = lazyComponent(() => import('./CalendarGrid'));

interface DaysViewProps {
  view: 'calendar' | 'timeline';
  days: Days;
}

/** The lanes of a week: few where there are several weeks, many where there is one. */
const lanesOfMonth = 3;
const lanesOfWeek = 20;

/** Windows in which what has no dates is below the days, and shown on request. */
const narrowWindow = '@media (max-width: 1023px)';

/** The records of a list over their days: a calendar or a timeline, with the days of the address. */
export function DaysView({ view, days }: DaysViewProps) {
  const { definition, state, change, isPhone } = useResourceList();
  const { actor } = useDefinitions();
  const { today = '' } = useEvaluationContext();
  const choices = scales[view];
  const scale = choices.find(({ name }) => name === state.scale) ?? choices[0];
  const day = state.shown ?? today;
  const { first, count, last } = useMemo(() => {
    const range = scale.rangeOf(day);
    return { ...range, last: addDays(range.first, range.count - 1) };
  }, [scale, day]);
  const readable = grantedFields(actor, definition, 'list');
  const hidden = [days.start, days.end].find((name) => name !== undefined && !readable.has(name));
  const { datedRecords, undatedRecords, allRecords, bars, undatedItems } = useItemsOfDays(
    days,
    { first, last },
    hidden === undefined,
  );
  const moves = useSpanMoves(definition, days);
  const [dropTarget, setDropTarget] = useState<'here' | 'over'>();
  const [drag, setDrag] = useState<{ item: DayItem; day?: string }>();
  const withoutCount = undatedItems.length + undatedRecords.left;
  const panel = useUndatedPanel();
  const isOpen = (withoutCount > 0 || undatedRecords.error !== null) && panel.isOpen;

  const show = (shownDay: string | undefined, next = scale.name) =>
    change(
      ({ shown: _, scale: __, ...rest }) => ({
        ...rest,
        ...(shownDay !== undefined && shownDay !== today && { shown: shownDay }),
        ...(next !== choices[0].name && { scale: next }),
      }),
      { replace: true },
    );
  const commandsOf = useRecordCommands(definition);
  useCommands(() => {
    const inFocus = document.activeElement?.closest<HTMLElement>('[data-bar], [data-undated]')?.dataset;
    const record = allRecords.find(({ id }) => String(id) === (inFocus?.bar ?? inFocus?.undated));
    return [
      { id: 'today', label: 'Show today', icon: 'calendar', keys: 't', run: () => show(undefined) },
      ...(record ? commandsOf(record) : []),
    ];
  });
  const move = (bar: Bar, grip: Grip, step: SpanStep) => {
    const next = moves.move(bar.record, grip, step);
    if (next) follow(next);
  };
  /** A record that leaves the shown days is followed. */
  const follow = ({ from: firstDay, to: lastDay }: Span) => {
    if (lastDay < first || firstDay > last) show(firstDay);
  };
  const placeItem = (item: DayItem, targetDay: string) => {
    moves.place(item, targetDay);
    follow({ from: targetDay, to: targetDay });
  };
  const outsideDays = { take: ({ record }: Bar) => moves.clear(record), onDrag: setDropTarget };
  const placedBar = drag?.day === undefined ? undefined : barOn(drag.item, drag.day);
  const shownBars = placedBar ? [...bars, placedBar] : bars;

  if (hidden !== undefined)
    return (
      <EmptyState
        sentence={`This view needs ${fieldOf(definition, hidden).label}, which your role may not see. Choose another view.`}
      />
    );
  const { error, fetching, retry } = datedRecords;
  const isAgenda = isPhone && view === 'calendar';
  const plural = definition.labels.many;
  return (
    <section className={styles.dayView} aria-label={definition.list[view]?.label} aria-busy={fetching || undefined}>
      <div className={styles.dayTools}>
        <h2 aria-live="polite">{scale.titleOf(day)}</h2>
        <IconButton
          aria-label={`Previous ${scale.step}`}
          title={`Previous ${scale.step}`}
          onClick={() => show(scale.go(day, -1))}
        >
          <Icon name="chevron-left" />
        </IconButton>
        <IconButton
          aria-label={`Next ${scale.step}`}
          title={`Next ${scale.step}`}
          onClick={() => show(scale.go(day, 1))}
        >
          <Icon name="chevron-right" />
        </IconButton>
        <Button variant="outlined" title="Show today (T)" onClick={() => show(undefined)}>
          Today
        </Button>
        {!isAgenda && <ScaleSwitch {...{ choices, scale }} onChange={(name) => show(state.shown, name)} />}
        <LoadedCount loadedRecords={datedRecords} plural={plural} isEmpty={bars.length === 0} />
        {!isOpen && dropTarget && (
          <span className={styles.withoutTarget} data-without-days="" data-takes={dropTarget}>
            Without dates
          </span>
        )}
        {!isOpen && !dropTarget && withoutCount > 0 && (
          <Button
            variant="outlined"
            className={styles.withoutOpener}
            startIcon={<Icon name="panel" />}
            aria-expanded={false}
            onClick={() => panel.setOpen(true)}
          >
            Without dates {formatNumber(withoutCount)}
          </Button>
        )}
      </div>
      <div className={styles.dayBody}>
        {error ? (
          <FailedState title={`${plural} could not be loaded`} message={error.message} onRetry={retry} />
        ) : view === 'timeline' ? (
          <Timeline
            {...{ definition, days, first, count, today, move, outside: outsideDays, placed: placedBar }}
            bars={shownBars}
          />
        ) : isPhone ? (
          <Agenda {...{ definition, bars, first, today }} person={days.person} />
        ) : (
          <LoadingFallback fallback={<div className={styles.dayCalendar} />}>
            <CalendarGrid
              {...{ definition, first, count, today, move, outside: outsideDays, placed: placedBar }}
              person={days.person}
              bars={shownBars}
              month={scale === choices[0] ? day.slice(0, 7) : undefined}
              lanes={scale === choices[0] ? lanesOfMonth : lanesOfWeek}
            />
          </LoadingFallback>
        )}
        {isOpen && (
          <WithoutDates
            {...{ definition, days, takes: dropTarget }}
            items={undatedItems}
            loaded={undatedRecords}
            dragged={drag?.item.id}
            canDrag={!isAgenda}
            onDrag={setDrag}
            onPick={placeItem}
            onClose={() => panel.setOpen(false)}
          />
        )}
      </div>
    </section>
  );
}

const barOn = (item: DayItem, day: string): Bar => ({ ...item, span: { from: day, to: day } });

/** The records of the surrounding list with days in a period as bars, and those without days. */
function useItemsOfDays(days: Days, { first, last }: { first: string; last: string }, mayRead: boolean) {
  const { definition } = useResourceList();
  const condition = useMemo(() => daysCondition(definition, days, first, last), [days, definition, first, last]);
  const datedRecords = useDayRecords(days, condition, mayRead);
  const undatedCondition = useMemo(() => withoutDaysCondition(definition, days), [days, definition]);
  const undatedRecords = useDayRecords(days, undatedCondition, mayRead);
  // A record that was just given days, or has them no longer, is shown in its new place before both are loaded again.
  const allRecords = useMemo(
    () => [
      ...new Map(
        [...(undatedRecords.records ?? []), ...(datedRecords.records ?? [])].map((record) => [record.id, record]),
      ).values(),
    ],
    [datedRecords.records, undatedRecords.records],
  );
  const { bars: allBars, without: undatedItems } = useBars(definition, days, allRecords);
  const bars = useMemo(
    () => allBars.filter(({ span }) => span.from <= last && span.to >= first),
    [first, last, allBars],
  );
  return { datedRecords, undatedRecords, allRecords, bars, undatedItems };
}

/** Whether the panel of records without dates is open: as it was left, and in narrow windows on request. */
function useUndatedPanel() {
  const { definition } = useResourceList();
  const { actor } = useDefinitions();
  const isNarrow = useMediaQuery(narrowWindow, { noSsr: true });
  const [rememberedOpen, setRememberedOpen] = useState(() => isPanelOpen(actor.id, definition.name));
  const [openInNarrow, setOpenInNarrow] = useState(false);
  return {
    isOpen: isNarrow ? openInNarrow : (rememberedOpen ?? true),
    setOpen: (isOpen: boolean) => {
      if (isNarrow) return setOpenInNarrow(isOpen);
      rememberPanel(actor.id, definition.name, isOpen);
      setRememberedOpen(isOpen);
    },
  };
}

interface ScaleSwitchProps {
  choices: readonly Scale[];
  scale: Scale;
  onChange: (name: string) => void;
}

/** How many days are shown at a time. */
function ScaleSwitch({ choices, scale, onChange }: ScaleSwitchProps) {
  return (
    <span className={toolbarStyles.listViews} role="group" aria-label="Days shown">
      {choices.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={name === scale.name} onClick={() => onChange(name)}>
          {label}
        </button>
      ))}
    </span>
  );
}

interface LoadedCountProps {
  loadedRecords: ReturnType<typeof useDayRecords>;
  plural: string;
  isEmpty: boolean;
}

/** Whether there are records on the shown days, and whether there are more than were loaded. */
function LoadedCount({ loadedRecords, plural, isEmpty }: LoadedCountProps) {
  const { records, left, error, fetching, more: loadMore } = loadedRecords;
  return (
    <div className={styles.dayNote}>
      <span role="status">
        {records === undefined && !error ? 'Loading…' : isEmpty ? `No ${plural.toLowerCase()} on these days.` : ''}
      </span>
      {records && left > 0 && (
        <span role="note">
          The first {formatNumber(records.length)} {plural.toLowerCase()} of these days are shown.
          <Button size="small" variant="text" disabled={fetching} onClick={loadMore}>
            {formatTotal(left)} more
          </Button>
        </span>
      )}
    </div>
  );
}
