import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import { useDraft } from '../draft';
import { draftErrors, isWithin } from '../draftPlaces';
import { SortedList } from './SortedList';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';
import { itemAt } from '../../../engine/values/lookups';

interface ListPropertyProps {
  pointer: string;
  label: string;
  /** Creates a new entry. */
  createEntry: (entries: readonly Json[]) => Json;
  /** Label of the button that adds an entry. */
  add: string;
  titleOf: (entry: Json) => string;
  noteOf?: (entry: Json) => string | undefined;
  emptyText?: string;
  /** The inputs of the entry at a place. */
  children: (place: string) => ReactNode;
}

type Json = Readonly<Record<string, unknown>>;

/** A list of objects at a place of the draft: sorted by dragging, each with its own inputs. */
export function ListProperty({
  pointer,
  label,
  createEntry,
  add,
  titleOf,
  noteOf,
  emptyText,
  children,
}: ListPropertyProps) {
  const draft = useDraft();
  const { value, set } = useDraftValue(pointer);
  const entries = (Array.isArray(value) ? value : []) as readonly Json[];
  const put = (next: readonly Json[]) => set(next.length === 0 ? undefined : next);
  const move = (oldIndex: number, newIndex: number) => {
    const rest = entries.filter((_, index) => index !== oldIndex);
    put(rest.toSpliced(newIndex, 0, itemAt(entries, oldIndex)));
  };
  return (
    <div className={styles.studioGroup}>
      <SortedList
        {...{ label, titleOf, noteOf, emptyText }}
        items={entries}
        keyOf={(_, index) => String(index)}
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `${pointer}/${index}`))}
        onMove={move}
        onRemove={(index) => put(entries.filter((_, position) => position !== index))}
      >
        {(_, index) => children(`${pointer}/${index}`)}
      </SortedList>
      <div>
        <Button
          size="small"
          variant="outlined"
          startIcon={<Icon name="plus" />}
          onClick={() => put([...entries, createEntry(entries)])}
        >
          {add}
        </Button>
      </div>
    </div>
  );
}
