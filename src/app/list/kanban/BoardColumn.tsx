import { Droppable } from '@hello-pangea/dnd';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { formatTotal } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import type { Definition, Kanban } from '../../../engine/definitions/definition';
import { ChipMark, ToneChip } from '../../chips/RecordChip';
import { Icon } from '../../icons/Icon';
import { WaitingCards } from './BoardSkeleton';
import type { ShownColumn } from './withMoves';
import * as styles from './kanban.module.css';

interface BoardColumnProps {
  column: ShownColumn;
  definition: Definition;
  kanban: Kanban;
  /** The resource of the columns; none if they are options. */
  target: Definition | undefined;
  /** Why the card that is dragged cannot be put down here. */
  refusal: string | undefined;
  /** Loading pauses while a card is dragged. */
  isPaused: boolean;
  /** The sum of its records as text, on boards that have one. */
  sum?: string;
  /** Adds a record to this column; left out if the user may not. */
  onAdd?: () => void;
  onMore: () => void;
  children: ReactNode;
}

/** A column of the board: title, count and cards, with more loaded on scrolling. */
export function BoardColumn(props: BoardColumnProps) {
  const { column, definition, kanban, target, refusal, isPaused, sum, onAdd, onMore, children } = props;
  const { choice, records, total, error } = column;
  const rest = (total ?? 0) - (records?.length ?? 0);
  const add = `Add ${definition.labels.one.toLowerCase()} to ${choice.title}`;
  const isDone = ['1', 'stopped'].includes(String(target?.chip?.marks[String(choice.id)]));
  return (
    <section
      className={styles.boardColumn}
      aria-label={choice.title}
      data-done={isDone || undefined}
      data-refused={refusal !== undefined || undefined}
    >
      <header>
        <ChipMark definition={target} record={{ ...choice }} />
        <h2>{choice.tone ? <ToneChip tone={choice.tone}>{choice.title}</ToneChip> : choice.title}</h2>
        <span
          className={`${styles.boardCount} num`}
          role="status"
          aria-label={total === undefined ? undefined : `${formatTotal(total)} in ${choice.title}`}
        >
          {total !== undefined && formatTotal(total)}
        </span>
        {sum !== undefined && kanban.sum !== undefined && (
          <span className={`${styles.boardSum} num`} title={`${fieldOf(definition, kanban.sum).label}, together`}>
            {sum}
          </span>
        )}
        {onAdd && (
          <IconButton size="small" title={add} aria-label={add} onClick={onAdd}>
            <Icon name="plus" />
          </IconButton>
        )}
      </header>
      {refusal !== undefined && (
        <p className={styles.boardRefusal}>
          <Icon name="lock" size={14} />
          {refusal}
        </p>
      )}
      <Droppable droppableId={String(choice.id)} isDropDisabled={refusal !== undefined}>
        {({ innerRef, droppableProps, placeholder }, { isDraggingOver }) => (
          <ul
            ref={innerRef}
            {...droppableProps}
            className={styles.boardStack}
            aria-label={`${definition.labels.many}: ${choice.title}`}
            data-over={isDraggingOver || undefined}
            data-cards
            tabIndex={-1}
          >
            {error && <li className={styles.boardNote}>{error.message}</li>}
            {!records && !error && <WaitingCards kanban={kanban} />}
            {children}
            {placeholder}
            {records && rest > 0 && (
              <li className={styles.boardMore}>
                <More rest={rest} isPaused={isPaused} shownCount={records.length} onMore={onMore} />
              </li>
            )}
          </ul>
        )}
      </Droppable>
    </section>
  );
}

/** Loads more when scrolled near, and says how many are left. */
function More({
  rest,
  shownCount,
  isPaused,
  onMore,
}: {
  rest: number;
  shownCount: number;
  isPaused: boolean;
  onMore: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const onVisible = useEffectEvent(() => {
    if (!isPaused) onMore();
  });
  useEffect(() => {
    if (!('IntersectionObserver' in window) || !button.current) return;
    const root = button.current.closest(`.${styles.boardStack}`);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onVisible(), {
      root,
      rootMargin: '400px',
    });
    observer.observe(button.current);
    return () => observer.disconnect();
    // Observe again after each window: the end may still be in view.
  }, [shownCount]);
  return (
    <Button ref={button} variant="text" size="small" onClick={() => !isPaused && onMore()}>
      Show {formatTotal(rest)} more
    </Button>
  );
}
