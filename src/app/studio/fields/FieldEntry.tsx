import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd';
import { memo } from 'react';
import { Icon } from '../../icons/Icon';
import type { Entry } from './entries';
import * as styles from './fields.module.css';

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
  const { name, icon, note, state, hasError } = entry;
  return (
    <div className={styles.studioEntry} data-current={current || undefined} data-state={hasError ? 'wrong' : state}>
      <span
        className={styles.studioGrip}
        {...handle}
        tabIndex={handle && tabbable ? 0 : -1}
        {...(handle ? { 'aria-label': `Move ${name}` } : { 'aria-hidden': true })}
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
        <Icon name={icon} />
        <b title={name}>{name}</b>
        {hasError && <Icon name="warning" size={14} label="Has an error" className={styles.studioWrong} />}
        <small>{note}</small>
      </button>
    </div>
  );
});
