import Button from '@mui/material/Button';
import { useId, useLayoutEffect, useRef, type PointerEvent } from 'react';
import { Link } from 'react-router-dom';
import type { DaysView, Definition } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { ToneChip } from '../../chips/RecordChip';
import { CalendarButton } from '../../fields/CalendarButton';
import { Icon } from '../../icons/Icon';
import { Initials } from '../../chips/Initials';
import { CardValue, CardValues } from '../cards/CardValues';
import { RowButton } from '../RowButton';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { followPointer } from './followPointer';
import { dayUnder } from './useBarMoves';
import type { DayRecords } from './useDayRecords';
import type { DayItem } from './useBars';
import * as styles from './days.module.css';

interface WithoutDatesProps {
  definition: Definition;
  days: DaysView;
  items: readonly DayItem[];
  loaded: DayRecords;
  /** The record that is dragged from this panel. */
  dragged: DayItem['id'] | undefined;
  /** A bar can be put here, or is over it. */
  takes: 'here' | 'over' | undefined;
  /** There are days to drag onto. */
  canDrag: boolean;
  /** A record is dragged, perhaps over a day; undefined: no longer. */
  onDrag: (dragged: { item: DayItem; day?: string } | undefined) => void;
  onPick: (item: DayItem, day: string) => void;
  onClose: () => void;
}

/** The records of a list without dates, beside its days: dragged onto a day, or given one from a calendar. */
export function WithoutDates(props: WithoutDatesProps) {
  const { definition, days, items, loaded, dragged, takes, canDrag, onDrag, onPick, onClose } = props;
  const { one: singular, many: plural } = definition.labels;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const pickedIndex = useRef<number>(undefined);
  const count = items.length + loaded.left;
  const isChangeable = items.some((item) => item.ends.size > 0);

  // The focus goes to the next record, since dates are given one after the other.
  useLayoutEffect(() => {
    if (pickedIndex.current === undefined || document.activeElement !== document.body) return;
    const buttons = list.current?.querySelectorAll('button') ?? [];
    (buttons[Math.min(pickedIndex.current, buttons.length - 1)] ?? null)?.focus();
  });

  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element;
    const key = target.closest<HTMLElement>('[data-undated]')?.dataset.undated;
    const item = items.find((candidate) => String(candidate.id) === key);
    if (!canDrag || !item || item.ends.size === 0 || event.button !== 0 || target.closest('button')) return;
    let day: string | undefined;
    followPointer(event, {
      onMove: (x, y) => onDrag({ item, day: (day = dayUnder(x, y)) }),
      onDrop: () => day !== undefined && onPick(item, day),
      onEnd: () => onDrag(undefined),
    });
  };
  return (
    <section className={styles.withoutDates} aria-labelledby={id} data-without-days="" data-takes={takes}>
      <div className={styles.withoutHead}>
        <h3 id={id}>Without dates</h3>
        <small className="num">{formatNumber(count)}</small>
        <RowButton title="Hide those without dates" aria-label="Hide those without dates" onClick={onClose}>
          <Icon name="panel" />
        </RowButton>
      </div>
      {loaded.error && (
        <p role="alert">
          {plural} without dates could not be loaded: {loaded.error.message}{' '}
          <Button size="small" variant="text" onClick={loaded.retry}>
            Try again
          </Button>
        </p>
      )}
      <ul ref={list} onPointerDown={onPointerDown}>
        {items.map((item, index) => (
          <li
            key={String(item.id)}
            data-undated={String(item.id)}
            data-movable={(canDrag && item.ends.size > 0) || undefined}
            data-dragged={item.id === dragged || undefined}
          >
            <Title definition={definition} item={item} />
            {item.ends.size > 0 && (
              <CalendarButton
                label={`Date of ${item.title}`}
                tooltip={`Choose a date for ${item.title}`}
                value={undefined}
                onPick={(day) => {
                  pickedIndex.current = index;
                  onPick(item, day);
                }}
              />
            )}
            {(item.colour ?? item.person) !== undefined && (
              <CardValues definition={definition} record={item.record}>
                <div className={styles.withoutMarks}>
                  {item.colour !== undefined && (
                    <CardValue field={days.colour ?? ''}>
                      <ToneChip tone={item.tone}>{item.colour}</ToneChip>
                    </CardValue>
                  )}
                  {item.person !== undefined && (
                    <CardValue field={days.person ?? ''}>
                      <Initials name={item.person} size={20} square />
                      <span className="unseen">{item.person}</span>
                    </CardValue>
                  )}
                </div>
              </CardValues>
            )}
          </li>
        ))}
      </ul>
      {loaded.left > 0 && (
        <Button size="small" variant="text" disabled={loaded.fetching} onClick={loaded.more}>
          {formatNumber(loaded.left)} more
        </Button>
      )}
      {isChangeable && canDrag && <p>Drag {articleOf(singular)} onto a day to give it dates.</p>}
    </section>
  );
}

function Title({ definition, item: { record, title } }: { definition: Definition; item: DayItem }) {
  const { path, onClick } = useOpenRecord(definition)(record);
  return path ? (
    <Link to={path} draggable={false} {...{ onClick }}>
      {title}
    </Link>
  ) : (
    <span>{title}</span>
  );
}

const articleOf = (noun: string) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun.toLowerCase()}`;

const keyOf = (user: number, list: string) => `daysWithout.${user}.${list}`;

/** Whether a user has closed or opened the panel beside the days of a list; undefined if they did neither. */
export function isPanelOpen(user: number, list: string): boolean | undefined {
  try {
    const storedState = localStorage.getItem(keyOf(user, list));
    return storedState === null ? undefined : storedState === 'open';
  } catch {
    return undefined;
  }
}

/** Stores whether a user has closed or opened the panel beside the days of a list. */
export function rememberPanel(user: number, list: string, isOpen: boolean): void {
  try {
    localStorage.setItem(keyOf(user, list), isOpen ? 'open' : 'closed');
  } catch {
    // Without storage the choice is lost with the page.
  }
}
