import {
  DragDropContext,
  Draggable,
  Droppable,
  type DropResult,
  type DraggableProvidedDragHandleProps,
} from '@hello-pangea/dnd';
import type { Entry } from './entries';
import * as styles from './fields.module.css';
import { memo } from 'react';
import { Icon } from '../../icons/Icon';

interface FieldEntryProps {
  entry: Entry;
  current: boolean;
  /** Whether it is the one entry that Tab focuses. */
  tabbable: boolean;
  /** Drag handle props; without them the entry cannot be moved. */
  handle?: DraggableProvidedDragHandleProps | null;
  onChoose: (place: string) => void;
}

/** An entry of the list of fields, with a drag handle. */
export const FieldEntry = memo(function FieldEntry({ entry, current, tabbable, handle, onChoose }: FieldEntryProps) {
  const { name, label = name, icon, kind, state, hasError } = entry;
  return (
    <div className={styles.studioEntry} data-current={current || undefined} data-state={hasError ? 'wrong' : state}>
      <span
        className={styles.studioGrip}
        {...handle}
        tabIndex={handle && tabbable ? 0 : -1}
        {...(handle ? { 'aria-label': `Move ${label}` } : { 'aria-hidden': true })}
      >
        {handle && <Icon name="grip" size={14} />}
      </span>
      <button
        type="button"
        data-place={entry.pointer}
        aria-current={current || undefined}
        tabIndex={tabbable ? 0 : -1}
        onClick={() => onChoose(entry.pointer)}
      >
        <span className={styles.studioKind} title={kind}>
          <Icon name={icon} />
        </span>
        <b title={label}>{label}</b>
        <code title={name}>{label === name ? '' : name}</code>
        {hasError && <Icon name="warning" size={14} label="Has an error" className={styles.studioWrong} />}
        <small>{state ?? <span className="unseen">{kind}</span>}</small>
      </button>
    </div>
  );
}, isSameEntry);

/** Whether an entry is drawn as before: the entries of a changed draft are new objects. */
function isSameEntry({ entry, ...props }: FieldEntryProps, { entry: nextEntry, ...nextProps }: FieldEntryProps) {
  return isShallowEqual(entry, nextEntry) && isShallowEqual(props, nextProps);
}

function isShallowEqual<T extends object>(first: T, second: T): boolean {
  const keys = Object.keys(second) as (keyof T)[];
  return keys.length === Object.keys(first).length && keys.every((key) => Object.is(first[key], second[key]));
}

interface FieldListProps {
  entries: readonly Entry[];
  pointer: string;
  tabbable: string | undefined;
  onChoose: (place: string) => void;
  /** Moves a field; without it the order is fixed. */
  onMove?: (name: string, to: number) => void;
}

const instructions =
  'Press space to pick up this field, the arrow keys to move it up and down, space again to drop it, and escape to cancel.';

/** The fields in their order, which can be changed by dragging. */
export function FieldList({ entries, pointer, tabbable, onChoose, onMove }: FieldListProps) {
  const onDragEnd = ({ draggableId, destination, source }: DropResult) => {
    if (destination && destination.index !== source.index) onMove?.(draggableId, destination.index);
  };
  return (
    <DragDropContext
      dragHandleUsageInstructions={instructions}
      onDragStart={({ draggableId, source }, { announce }) =>
        announce(`Picked up ${draggableId}, at ${source.index + 1} of ${entries.length}.`)
      }
      onDragUpdate={({ destination }, { announce }) =>
        announce(destination ? `At ${destination.index + 1} of ${entries.length}.` : 'Not over the list.')
      }
      onDragEnd={(result, { announce }) => {
        announce(result.destination ? `Dropped at ${result.destination.index + 1}.` : 'Move cancelled.');
        onDragEnd(result);
      }}
    >
      <Droppable droppableId="fields">
        {({ innerRef, droppableProps, placeholder }) => (
          <ul className={styles.studioList} ref={innerRef} {...droppableProps}>
            {entries.map((entry, index) => (
              <Draggable key={entry.name} draggableId={entry.name} index={index} isDragDisabled={!onMove}>
                {({ innerRef: itemRef, draggableProps, dragHandleProps }, { isDragging }) => (
                  <li ref={itemRef} {...draggableProps} data-dragging={isDragging || undefined}>
                    <FieldEntry
                      entry={entry}
                      current={entry.pointer === pointer}
                      tabbable={entry.pointer === tabbable}
                      handle={onMove ? dragHandleProps : undefined}
                      onChoose={onChoose}
                    />
                  </li>
                )}
              </Draggable>
            ))}
            {placeholder}
          </ul>
        )}
      </Droppable>
    </DragDropContext>
  );
}
