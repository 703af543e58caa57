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
    const made = new Map<string, Bar[]>();
    for (const bar of bars) {
      const day = bar.span.from < first ? first : bar.span.from;
      made.set(day, [...(made.get(day) ?? []), bar]);
    }
    return [...made].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }, [bars, first]);
  return (
    <ol className={styles.dayAgenda}>
      {days.map(([day, all]) => (
        <li key={day} data-today={day === today || undefined}>
          <h3>
            {weekday(day)}, {dayAndMonth(day)}
            {day === today && <small> Today</small>}
          </h3>
          <ul>
            {all.map((bar) => (
              <li key={String(bar.id)}>
                <DayBar {...{ definition, person, bar }} isStart={false} isEnd isStop isDragged={false} />
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
