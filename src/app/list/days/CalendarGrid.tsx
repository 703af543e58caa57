import Popover from '@mui/material/Popover';
import { useMemo, useRef, useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { addDays } from '../../../engine/formats/dates';
import { DayBar } from './DayBar';
import { daysBetween, daysFrom, hiddenBars, isWeekend, nextBar, placeBars } from './layout';
import type { Grip, Span } from './spans';
import { useBarMoves, type DraggedBar, type OutsideDays } from './useBarMoves';
import type { Bar } from './useBars';
import { dayAndMonth, spanWords, weekday } from './words';
import * as styles from './days.module.css';

interface CalendarGridProps {
  definition: Definition;
  /** The field that says whose a record is. */
  person?: string;
  bars: readonly Bar[];
  /** The first days of the weeks. */
  weeks: readonly string[];
  /** `YYYY-MM`; the days of other months are dimmed. Undefined: none are. */
  month?: string;
  today: string;
  /** The lanes of a week that are shown. */
  lanes: number;
  move: (bar: Bar, grip: Grip, next: Span) => void;
  outside: OutsideDays;
  /** A bar that comes from outside. */
  placed?: DraggedBar;
}

const hint =
  'Arrow keys lead to other records. With Alt they move the record by a day or a week, with Shift its end. Delete takes its dates away, Enter opens it, T shows today.';

/** Weeks with a bar for each record, in lanes. */
export function CalendarGrid({
  definition,
  person,
  bars,
  weeks,
  month,
  today,
  lanes,
  move,
  outside,
  placed,
}: CalendarGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rowsOf = (placedBars: readonly Bar[]) => weeks.map((first) => placeBars(placedBars, first, 7));
  const nextOf = (id: Bar['id'], direction: Parameters<typeof nextBar>[2]) =>
    nextBar(
      rowsOf(bars).map((segments) => segments.filter((segment) => segment.lane < lanes)),
      id,
      direction,
    );
  const { dragged: movedBar, stop, handlers } = useBarMoves({ frame, bars, move, nextOf, outside });
  const draggedBar = movedBar ?? placed;
  const [dayPopover, setDayPopover] = useState<{ day: string; anchor: HTMLElement }>();
  const byId = useMemo(() => new Map(bars.map((bar) => [bar.id, bar])), [bars]);
  const shownBars = draggedBar
    ? bars.map((bar) => (bar.id === draggedBar.id ? { ...bar, span: draggedBar.span } : bar))
    : bars;
  const rows = rowsOf(shownBars);
  // A bar in a lane that is not shown is no stop for Tab, nor is the second part of one that goes on.
  const visible = rows.flat().filter((segment) => segment.lane < lanes);
  const tabStop = visible.some(({ id }) => id === stop) ? stop : visible[0]?.id;
  const stopRow = rows.findIndex((segments) =>
    segments.some((segment) => segment.id === tabStop && segment.lane < lanes),
  );
  return (
    <div
      className={styles.dayCalendar}
      ref={frame}
      {...handlers}
      data-days=""
      data-dragging={draggedBar !== undefined || undefined}
      // Without bars there is nothing else in it to focus, and to scroll it by keys.
      {...(visible.length === 0 && { tabIndex: 0, role: 'group', 'aria-label': 'Weeks' })}
    >
      <p className="unseen">{hint}</p>
      <div className={styles.dayNames} aria-hidden="true">
        {daysFrom(weeks[0]!, 7).map((day) => (
          <span key={day}>{weekday(day)}</span>
        ))}
      </div>
      {rows.map((segments, index) => {
        const first = weeks[index]!;
        const hidden = hiddenBars(segments, 7, lanes);
        return (
          <div
            key={first}
            className={styles.dayWeek}
            role="group"
            aria-label={`Week of ${spanWords({ from: first, to: addDays(first, 6) })}`}
            data-first={first}
            data-count={7}
          >
            {daysFrom(first, 7).map((day, column) => (
              <div
                key={day}
                className={styles.dayCell}
                style={{ gridColumn: `${column + 1} / ${column + 2}` }}
                data-today={day === today || undefined}
                data-outside={(month !== undefined && day.slice(0, 7) !== month) || undefined}
                data-weekend={isWeekend(day) || undefined}
                data-over={(draggedBar && draggedBar.span.from <= day && day <= draggedBar.span.to) || undefined}
              >
                <time dateTime={day} aria-current={day === today ? 'date' : undefined}>
                  {day.endsWith('-01') || (index === 0 && column === 0) ? dayAndMonth(day) : Number(day.slice(8))}
                </time>
              </div>
            ))}
            {segments
              .filter((segment) => segment.lane < lanes)
              .map(({ id, from: firstColumn, to: lastColumn, lane: laneIndex, isStart, isEnd }) => (
                <DayBar
                  key={String(id)}
                  {...{ definition, person, isStart, isEnd }}
                  bar={shownBars === bars ? byId.get(id)! : shownBars.find((bar) => bar.id === id)!}
                  isStop={id === tabStop && index === stopRow}
                  isDragged={draggedBar?.id === id}
                  style={{ gridColumn: `${firstColumn + 1} / ${lastColumn + 2}`, gridRow: laneIndex + 2 }}
                />
              ))}
            {hidden.map((count, column) =>
              count === 0 ? null : (
                <button
                  key={addDays(first, column)}
                  type="button"
                  className={styles.dayMore}
                  style={{ gridColumn: column + 1, gridRow: lanes + 2 }}
                  aria-haspopup="dialog"
                  aria-label={`${count} more on ${dayAndMonth(addDays(first, column))}`}
                  onClick={({ currentTarget }) => setDayPopover({ day: addDays(first, column), anchor: currentTarget })}
                >
                  +{count} more
                </button>
              ),
            )}
          </div>
        );
      })}
      <Popover
        open={dayPopover !== undefined}
        anchorEl={dayPopover?.anchor}
        onClose={() => setDayPopover(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': dayPopover && `${spanWords({ from: dayPopover.day, to: dayPopover.day })}`,
          },
        }}
      >
        {dayPopover && (
          <div className={styles.dayList}>
            <h3>{spanWords({ from: dayPopover.day, to: dayPopover.day })}</h3>
            {bars
              .filter(({ span }) => span.from <= dayPopover.day && dayPopover.day <= span.to)
              .toSorted((left, right) => daysBetween(right.span.from, left.span.from))
              .map((bar) => (
                <DayBar
                  key={String(bar.id)}
                  {...{ definition, person, bar }}
                  isStart={false}
                  isEnd={false}
                  isStop
                  isDragged={false}
                />
              ))}
          </div>
        )}
      </Popover>
    </div>
  );
}
