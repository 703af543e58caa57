import { parsePointer, valueAtPath } from '../../../../engine/studio/json';
import { descriptionAt } from '../../../../engine/studio/schema-suggestions';
import { useDraft } from '../draft';
import { schemas } from '../json/schemas';
import { draftErrors } from '../places';
import { withValueAt } from './withValueAt';

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
  const draft = useDraft();
  const steps = parsePointer(pointer);
  return {
    value: valueAtPath(draft.source, steps),
    set: (value) => draft.edit((source) => withValueAt(source, steps, value)),
    error: draftErrors(draft).find(({ path }) => path === pointer || path.startsWith(`${pointer}/`))?.message,
    hint: descriptionAt(schemas, draft.source, pointer)?.replaceAll('`', ''),
  };
}
