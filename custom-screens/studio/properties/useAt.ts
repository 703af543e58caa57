import { stepsOf, valueAt } from '../../../src/engine/studio/json';
import { describeAt } from '../../../src/engine/studio/schema-at';
import { useDraft } from '../draft';
import { schemas } from '../json/schemas';
import { errorsOf } from '../places';
import { withAt } from './withAt';

/** A place of the draft for an input: its value, a setter, its error, and its description. */
export interface At {
  readonly value: unknown;
  /** Undefined removes the key. */
  readonly set: (value: unknown) => void;
  readonly error: string | undefined;
  readonly hint: string | undefined;
}

/** The place of the draft at a JSON pointer. */
export function useAt(pointer: string): At {
  const draft = useDraft();
  const steps = stepsOf(pointer);
  return {
    value: valueAt(draft.source, steps),
    set: (value) => draft.edit((source) => withAt(source, steps, value)),
    error: errorsOf(draft).find(({ path }) => path === pointer || path.startsWith(`${pointer}/`))?.message,
    hint: describeAt(schemas, draft.source, pointer)?.replaceAll('`', ''),
  };
}
