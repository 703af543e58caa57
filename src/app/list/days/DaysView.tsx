import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useMemo } from 'react';
import { grantedFields } from '../../../engine/access/access-decision';
import type { DaysView as Days, Definition } from '../../../engine/definitions/definition';
import { addDays } from '../../../engine/formats/dates';
import { formatNumber } from '../../../engine/formats/numbers';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import type { ChangeList } from '../useListState';
import { Agenda } from './Agenda';
import { CalendarGrid } from './CalendarGrid';
import { daysFrom } from './layout';
import { scales } from './scales';
import { daysCondition, type Grip, type Span } from './spans';
import { Timeline } from './Timeline';
import { useBars, type Bar } from './useBars';
import { useDayRecords } from './useDayRecords';
import { useSpanMoves } from './useSpanMoves';
import * as listStyles from '../list.module.css';
import * as styles from './days.module.css';

interface DaysViewProps {
  definition: Definition;
  view: 'calendar' | 'timeline';
  days: Days;
  state: ListState;
  change: ChangeList;
  isPhone: boolean;
}

/** The lanes of a week: few where there are several weeks, many where there is one. */
const lanesOfMonth = 3;
const lanesOfWeek = 20;

/** The records of a list over their days: a calendar or a timeline, with the days of the address. */
export function DaysView({ definition, view, days, state, change, isPhone }: DaysViewProps) {
  const { actor } = useDefinitions();
  const { today = '' } = useEvaluationContext();
  const choices = scales[view]!;
  const scale = choices.find(({ name }) => name === state.scale) ?? choices[0];
  const day = state.shown ?? today;
  const { first, count } = scale.rangeOf(day);
  const last = addDays(first, count - 1);
  const readable = grantedFields(actor, definition, 'list');
  const hidden = [days.start, days.end].find((name) => name !== undefined && !readable.has(name));
  const condition = useMemo(() => daysCondition(definition, days, first, last), [days, definition, first, last]);
  const loaded = useDayRecords(definition, days, state, condition, hidden === undefined);
  const bars = useBars(definition, days, loaded.records);
  const moveSpan = useSpanMoves(definition, days);

  const show = (shown: string | undefined, next = scale.name) =>
    change(
      ({ shown: _, scale: __, ...old }) => ({
        ...old,
        ...(shown !== undefined && shown !== today && { shown }),
        ...(next !== choices[0].name && { scale: next }),
      }),
      { replace: true },
    );
  useCommands(() => [{ id: 'today', label: 'Show today', icon: 'calendar', keys: 't', run: () => show(undefined) }]);
  const move = (bar: Bar, grip: Grip, next: Span) => {
    moveSpan(bar.record, grip, next);
    // A record that leaves the shown days is followed.
    if (next.to < first || next.from > last) show(next.from);
  };

  if (hidden !== undefined)
    return (
      <EmptyState
        sentence={`This view needs ${definition.fields[hidden]!.label}, which your role may not see. Choose another view.`}
      />
    );
  const { records, left, error, fetching, more, retry } = loaded;
  const many = definition.labels.many;
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
        {!(isPhone && view === 'calendar') && (
          <span className={listStyles.listViews} role="group" aria-label="Days shown">
            {choices.map(({ name, label }) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === scale.name}
                onClick={() => show(state.shown, name)}
              >
                {label}
              </button>
            ))}
          </span>
        )}
        <span className={styles.dayNote} role="status">
          {records === undefined && !error
            ? 'Loading…'
            : records?.length === 0
              ? `No ${many.toLowerCase()} on these days.`
              : ''}
        </span>
      </div>
      {left > 0 && (
        <p className={styles.dayLeft} role="note">
          The first {formatNumber(records!.length)} {many.toLowerCase()} of these days are shown.
          <Button size="small" variant="text" disabled={fetching} onClick={more}>
            {formatNumber(left)} more
          </Button>
        </p>
      )}
      {error ? (
        <FailedState title={`${many} could not be loaded`} message={error.message} onRetry={retry} />
      ) : view === 'timeline' ? (
        <Timeline {...{ definition, days, bars, first, count, today, move }} />
      ) : isPhone ? (
        <Agenda {...{ definition, bars, first, today }} />
      ) : (
        <CalendarGrid
          {...{ definition, bars, today, move }}
          weeks={daysFrom(first, count).filter((_, index) => index % 7 === 0)}
          month={scale === choices[0] ? day.slice(0, 7) : undefined}
          lanes={scale === choices[0] ? lanesOfMonth : lanesOfWeek}
        />
      )}
    </section>
  );
}
