import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Icon } from '../../../icons/Icon';
import { useDraft } from '../draft';
import { draftErrors, isWithin } from '../places';
import { SortedList } from './SortedList';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface ListPropertyProps {
  at: string;
  label: string;
  /** Creates a new entry. */
  blank: (entries: readonly Json[]) => Json;
  /** Label of the button that adds an entry. */
  add: string;
  titleOf: (entry: Json) => string;
  noteOf?: (entry: Json) => string | undefined;
  none?: string;
  /** The inputs of the entry at a place. */
  children: (place: string) => ReactNode;
}

type Json = Readonly<Record<string, unknown>>;

/** A list of objects at a place of the draft: sorted by dragging, each with its own inputs. */
export function ListProperty({ at, label, blank, add, titleOf, noteOf, none, children }: ListPropertyProps) {
  const draft = useDraft();
  const { value, set } = useDraftValue(at);
  const entries = (Array.isArray(value) ? value : []) as readonly Json[];
  const put = (next: readonly Json[]) => set(next.length === 0 ? undefined : next);
  const move = (from: number, to: number) => {
    const rest = entries.filter((_, index) => index !== from);
    put(rest.toSpliced(to, 0, entries[from]!));
  };
  return (
    <div className={styles.studioGroup}>
      <SortedList
        {...{ label, titleOf, noteOf, none }}
        items={entries}
        keyOf={(_, index) => String(index)}
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `${at}/${index}`))}
        onMove={move}
        onRemove={(index) => put(entries.filter((_, one) => one !== index))}
      >
        {(_, index) => children(`${at}/${index}`)}
      </SortedList>
      <div>
        <Button
          size="small"
          variant="outlined"
          startIcon={<Icon name="plus" />}
          onClick={() => put([...entries, blank(entries)])}
        >
          {add}
        </Button>
      </div>
    </div>
  );
}
