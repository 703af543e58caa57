import { useMemo } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { DayBar } from './DayBar';
import type { Bar } from './useBars';
import { dayAndMonth, lengthWords, spanWords, weekday } from './words';
import * as styles from './days.module.css';

interface AgendaProps {
  definition: Definition;
  /** The field that says whose a record is. */
  person?: string;
  bars: readonly Bar[];
  /** The first day that is shown. */
  first: string;
  today: string;
}

/** On phones: the records of a month below the day on which they begin, or below the first one that is shown. */
export function Agenda({ definition, person, bars, first, today }: AgendaProps) {
  const days = useMemo(() => {
    const barsByDay = new Map<string, Bar[]>();
    for (const bar of bars) {
      const day = bar.span.from < first ? first : bar.span.from;
      barsByDay.set(day, [...(barsByDay.get(day) ?? []), bar]);
    }
    return [...barsByDay].toSorted(([left], [right]) => (left < right ? -1 : 1));
  }, [bars, first]);
  return (
    <ol className={styles.dayAgenda}>
      {days.map(([day, dayBars]) => (
        <li key={day} data-today={day === today || undefined}>
          <h3>
            {weekday(day)}, {dayAndMonth(day)}
            {day === today && <small> Today</small>}
          </h3>
          <ul>
            {dayBars.map((bar) => (
              <li key={String(bar.id)}>
                <DayBar {...{ definition, person, bar }} isStart={false} isEnd isDragged={false} />
                <small aria-hidden="true">
                  {spanWords(bar.span)}, {lengthWords(bar.span)}
                </small>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
