import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { DaysView, Definition, Field } from '../../../engine/definitions/definition';
import { embedsOf } from '../../../engine/lists/titles';
import { fieldOf } from '../../../engine/definitions/accessors';
import { firstOf } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChip, ToneChip } from '../../chips/RecordChip';
import { Icon } from '../../icons/Icon';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { DayBar } from './DayBar';
import { daysBetween } from '../../../engine/formats/dates';
import { daysFrom, isWeekend, placeBars, type Direction } from './layout';
import type { Grip } from './spans';
import { useBarMoves, type DraggedBar, type OutsideDays } from './useBarMoves';
import { valueText, type Bar } from './useBars';
import type { SpanStep } from './useSpanMoves';
import { dayAndMonth, weekNumber } from './words';
import * as styles from './days.module.css';

interface TimelineProps {
  definition: Definition;
  days: DaysView;
  bars: readonly Bar[];
  first: string;
  count: number;
  today: string;
  move: (bar: Bar, grip: Grip, step: SpanStep) => void;
  outside: OutsideDays;
  /** A bar that comes from outside. */
  placed?: DraggedBar;
}

interface Group {
  readonly key: string;
  readonly title: string;
  readonly bars: readonly Bar[];
}

const hint =
  'Left and right move the record by a day, with Shift they change its end. Up and down lead to other records. Delete takes its dates away, Enter opens it, T shows today.';
/** Bars of fewer columns have no space for words. */
const wordsFrom: Readonly<Record<number, number>> = { 14: 2, 28: 4, 91: 12 };

/** A row for each record, with its bar over the days, below the headings of its groups. */
export function Timeline({ definition, days, bars, first, count, today, move, outside, placed }: TimelineProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [closedGroups, setClosedGroups] = useState<ReadonlySet<string>>(new Set());
  const groups = useGroups(definition, days, bars);
  const rows = groups.flatMap((group) => (closedGroups.has(group.key) ? [] : group.bars));
  const nextOf = (id: Bar['id'], direction: Direction) => {
    const index = rows.findIndex((bar) => bar.id === id);
    return (rows[index + (direction === 'up' || direction === 'left' ? -1 : 1)] ?? rows[index])?.id ?? id;
  };
  const { dragged: movedBar, handlers } = useBarMoves({ frame, bars: rows, move, nextOf, plainMoves: true, outside });
  const draggedBar = movedBar ?? placed;
  const columns = daysFrom(first, count);
  const todayColumn = daysBetween(first, today);
  const toggle = (key: string) =>
    setClosedGroups((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <div
      className={styles.dayTimeline}
      data-days=""
      style={{ ['--count' as string]: count }}
      data-dense={count > 28 || undefined}
      data-dragging={draggedBar !== undefined || undefined}
      {...(rows.length === 0 && groups.length === 0 && { tabIndex: 0, role: 'group', 'aria-label': 'Days' })}
    >
      <div className={styles.dayTrack} ref={frame} {...handlers}>
        <p className="unseen">{hint}</p>
        <div className={styles.dayScale} aria-hidden="true">
          <b>{definition.labels.one}</b>
          <div className={styles.dayWeeks}>
            {columns
              .filter((_, index) => index % 7 === 0)
              .map((begin) => (
                <span key={begin}>
                  {dayAndMonth(begin)}
                  <small>, week {weekNumber(begin)}</small>
                </span>
              ))}
          </div>
          <div className={styles.dayNumbers}>
            {columns.map((day) => (
              <span key={day} data-today={day === today || undefined}>
                {Number(day.slice(8))}
              </span>
            ))}
          </div>
        </div>
        <div className={styles.dayGround} aria-hidden="true">
          {columns.map((day) => (
            <i key={day} data-date={day} data-weekend={isWeekend(day) || undefined} />
          ))}
          {todayColumn >= 0 && todayColumn < count && <b style={{ left: `${((todayColumn + 0.5) / count) * 100}%` }} />}
        </div>
        {groups.map((group) => (
          <div key={group.key} role="group" aria-label={group.title || definition.labels.many}>
            {days.group !== undefined && (
              <button
                type="button"
                className={styles.dayGroup}
                aria-expanded={!closedGroups.has(group.key)}
                onClick={() => toggle(group.key)}
              >
                <Icon name={closedGroups.has(group.key) ? 'chevron-right' : 'chevron-down'} />
                <GroupTitle group={group} field={fieldOf(definition, days.group)} />
                <small>{group.bars.length}</small>
              </button>
            )}
            {!closedGroups.has(group.key) &&
              group.bars.map((bar) => (
                <Row
                  key={String(bar.id)}
                  {...{ definition, first, count }}
                  person={days.person}
                  bar={draggedBar && draggedBar.id === bar.id ? { ...bar, span: draggedBar.span } : bar}
                  isDragged={draggedBar?.id === bar.id}
                />
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The bars by the value of the group's field, the groups by their titles; those without a value are last. */
function useGroups(definition: Definition, days: DaysView, bars: readonly Bar[]): readonly Group[] {
  const { registry } = useDefinitions();
  return useMemo(() => {
    if (days.group === undefined) return [{ key: '', title: '', bars }];
    const field = fieldOf(definition, days.group);
    const barsByKey = new Map<string, Bar[]>();
    for (const bar of bars) {
      const key = String(bar.record[field.name] ?? '');
      barsByKey.set(key, [...(barsByKey.get(key) ?? []), bar]);
    }
    const titleOf = (groupBars: readonly Bar[]) =>
      valueText(definition, registry, field.name, firstOf(groupBars).record);
    return [...barsByKey]
      .map(([key, groupBars]) => ({
        key,
        title: titleOf(groupBars) ?? field.emptyText ?? `No ${field.label}`,
        bars: groupBars,
      }))
      .toSorted(
        (left, right) => Number(left.key === '') - Number(right.key === '') || left.title.localeCompare(right.title),
      );
  }, [bars, days, definition, registry]);
}

function GroupTitle({ field, group }: { field: Field; group: Group }) {
  const { registry } = useDefinitions();
  const [record] = group.bars;
  const [embed] = record ? embedsOf(field, record.record) : [];
  if (embed) return <RecordChip definition={registry.get(field.to)} record={embed} />;
  const option = field.options?.find(({ value }) => value === group.key);
  return option ? <ToneChip tone={option.tone}>{option.label}</ToneChip> : <span>{group.title}</span>;
}

interface RowProps {
  definition: Definition;
  /** The field that says whose a record is. */
  person?: string;
  bar: Bar;
  first: string;
  count: number;
  isDragged: boolean;
}

function Row({ definition, person, bar, first, count, isDragged }: RowProps) {
  const { path, onClick } = useOpenRecord(definition)(bar.record);
  const [segment] = placeBars([bar], first, count);
  return (
    <div className={styles.dayRow}>
      <span className={styles.dayName} title={bar.title}>
        {path ? (
          <Link to={path} tabIndex={-1} {...{ onClick }}>
            {bar.title}
          </Link>
        ) : (
          bar.title
        )}
      </span>
      <div className={styles.dayLine}>
        {segment && (
          <DayBar
            {...{ definition, person, bar, isDragged }}
            isStart={segment.isStart}
            isEnd={segment.isEnd}
            isShort={segment.to - segment.from + 1 < (wordsFrom[count] ?? 4)}
            style={{ gridColumn: `${segment.from + 1} / ${segment.to + 2}` }}
          />
        )}
      </div>
    </div>
  );
}
