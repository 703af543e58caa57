import { DragDropContext, Draggable, Droppable, type DropResult } from '@hello-pangea/dnd';
import type { Entry } from './entries';
import { FieldEntry } from './FieldEntry';
import * as styles from './fields.module.css';

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
