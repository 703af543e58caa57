import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useId, useState, type ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import * as fieldsStyles from '../fields/fields.module.css';
import * as styles from './sorted.module.css';
import { itemAt } from '../../../engine/values/lookups';

interface SortedListProps<T> {
  label: string;
  items: readonly T[];
  /** A stable key of an item. */
  keyOf: (item: T, index: number) => string;
  titleOf: (item: T) => string;
  /** Muted text after the title. */
  noteOf?: (item: T) => string | undefined;
  isWrong?: (item: T, index: number) => boolean;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  /** The inputs of an item, shown when it is expanded. */
  children: (item: T, index: number) => ReactNode;
  /** Text for an empty list. */
  emptyText?: string;
}

const instructions =
  'Press space to pick up this entry, the arrow keys to move it up and down, space again to drop it, and escape to cancel.';

/** A list whose entries can be reordered by dragging, expanded, and removed. */
export function SortedList<T>({ label, items, onMove, emptyText, ...entry }: SortedListProps<T>) {
  const id = useId();
  const [open, setOpen] = useState<string | null>(null);
  return (
    <DragDropContext
      dragHandleUsageInstructions={instructions}
      onDragStart={({ source }, { announce }) =>
        announce(`Picked up ${entry.titleOf(itemAt(items, source.index))}, at ${source.index + 1} of ${items.length}.`)
      }
      onDragUpdate={({ destination }, { announce }) =>
        announce(destination ? `At ${destination.index + 1} of ${items.length}.` : 'Not over the list.')
      }
      onDragEnd={({ source, destination }, { announce }) => {
        announce(destination ? `Dropped at ${destination.index + 1}.` : 'Move cancelled.');
        if (destination && destination.index !== source.index) onMove(source.index, destination.index);
      }}
    >
      <Droppable droppableId={id}>
        {({ innerRef, droppableProps, placeholder }) => (
          <ul className={styles.studioSorted} aria-label={label} ref={innerRef} {...droppableProps}>
            {items.map((item, index) => {
              const key = entry.keyOf(item, index);
              return (
                <Line
                  key={key}
                  {...{ ...entry, item, index, id: `${id}-${key}`, open: open === key }}
                  onOpen={() => setOpen(open === key ? null : key)}
                />
              );
            })}
            {placeholder}
            {items.length === 0 && emptyText && (
              <Box component="li" sx={{ m: 0, py: 2, px: 3, color: 'var(--t3)', fontSize: 13, listStyle: 'none' }}>
                {emptyText}
              </Box>
            )}
          </ul>
        )}
      </Droppable>
    </DragDropContext>
  );
}

interface LineProps<T> extends Omit<SortedListProps<T>, 'label' | 'items' | 'onMove' | 'emptyText'> {
  item: T;
  index: number;
  id: string;
  open: boolean;
  onOpen: () => void;
}

function Line<T>({ item, index, id, open, onOpen, titleOf, noteOf, isWrong, onRemove, children }: LineProps<T>) {
  const title = titleOf(item);
  return (
    <Draggable draggableId={id} index={index}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
        <li
          ref={innerRef}
          {...draggableProps}
          data-dragging={isDragging || undefined}
          data-wrong={isWrong?.(item, index) || undefined}
        >
          <div className={styles.studioLine}>
            <span className={fieldsStyles.studioGrip} {...dragHandleProps} aria-label={`Move ${title}`}>
              <Icon name="grip" size={14} />
            </span>
            <button type="button" aria-expanded={open} onClick={onOpen}>
              <span>{title}</span>
              <small>{noteOf?.(item)}</small>
              <Icon name={open ? 'chevron-up' : 'chevron-down'} size={14} />
            </button>
            <IconButton size="small" aria-label={`Remove ${title}`} title="Remove" onClick={() => onRemove(index)}>
              <Icon name="close" size={14} />
            </IconButton>
          </div>
          {open && <div className={styles.studioOpened}>{children(item, index)}</div>}
        </li>
      )}
    </Draggable>
  );
}
