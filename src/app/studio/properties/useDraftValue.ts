import { useCallback } from 'react';
import { parsePointer, valueAtPath } from '../../../engine/formats/json';
import { descriptionAt } from '../../../engine/studio/schema-suggestions';
import { useDraftPart, useDraftStore } from '../draft';
import { draftErrors } from '../draftPlaces';
import { withValueAt } from './withValueAt';
import type { KeyDescription } from '../../../engine/studio/part-keys';

/** A place of the draft for an input: its value, a setter, its error, and its description. */
export interface DraftValue {
  readonly value: unknown;
  /** Undefined removes the key. */
  readonly set: (value: unknown) => void;
  readonly error: string | undefined;
  readonly hint: string | undefined;
}

/** The place of the draft at a JSON pointer. */
export function useDraftValue(pointer: string): DraftValue {
  const store = useDraftStore();
  const part = useDraftPart((draft) => ({
    value: valueAtPath(draft.source, parsePointer(pointer)),
    error: draftErrors(draft).find(({ path }) => path === pointer || path.startsWith(`${pointer}/`))?.message,
    hint: descriptionAt(draft.source, pointer)?.replaceAll('`', ''),
  }));
  const set = useCallback(
    (value: unknown) => store.get().edit((source) => withValueAt(source, parsePointer(pointer), value)),
    [store, pointer],
  );
  return { ...part, set };
}

/** The properties of an input that was made for a key. */
export interface SpecialInputProps {
  /** JSON pointer of the key. */
  pointer: string;
  label: string;
  placeholder?: string;
  isRequired: boolean;
  /** The name of the entry whose value this is. */
  entry: string;
  description: KeyDescription;
}
