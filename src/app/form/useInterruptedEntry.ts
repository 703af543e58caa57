import { useEffect, useEffectEvent } from 'react';
import { useNotify } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { changedFields } from '../../engine/forms/form-values';
import { useOwnerDocument } from '../layout/FramedContext';
import { hasSessionEnded, onSessionChange } from '../session/session';
import type { ResourceFormState } from './useResourceForm';

/** The values in a form when the session of its user ended by itself. */
interface InterruptedEntry {
  readonly person: number;
  readonly form: string;
  readonly values: ResourceRecord;
}

const storageKey = 'assay.interrupted';
const restoredMessage = 'What you had entered before your session ended is here again. It is not saved yet.';

/**
 * Keeps what is entered in a form when the session ends by itself, in this tab alone, and gives it back to the same person
 * in the same form after the next sign-in. Passwords are not kept.
 */
export function useInterruptedEntry({ form, model, change }: ResourceFormState, person: number): void {
  const notify = useNotify();
  // A preview has forms of the same records.
  const isPreview = useOwnerDocument() !== document;
  const { definition, mode } = model;
  const name = JSON.stringify([definition.name, mode, form.record.id ?? null]);
  const keep = useEffectEvent(() => {
    if (isPreview || !hasSessionEnded(person)) return;
    const typedFields = changedFields(model.fields, form.startValues, form.current()).filter(
      (field) => fieldTypeOf(field).isHashed !== true,
    );
    if (typedFields.length === 0) return;
    const values = Object.fromEntries(typedFields.map((field) => [field.name, form.current()[field.name] ?? null]));
    write({ person, form: name, values });
  });
  useEffect(() => onSessionChange(() => keep()), []);
  const restore = useEffectEvent(() => {
    const entry = isPreview ? undefined : take(person, name);
    if (!entry) return;
    change({ ...form.current(), ...entry.values });
    notify(restoredMessage, { type: 'info', messageArgs: { _: restoredMessage } });
  });
  useEffect(() => restore(), []);
}

function write(entry: InterruptedEntry): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(entry));
  } catch {
    // Without room, such as for a large file, the entry is lost with the session.
  }
}

/** The entry of this person in this form, which is removed; another person's is removed without being read. */
function take(person: number, form: string): InterruptedEntry | undefined {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return undefined;
  const entry = JSON.parse(text) as InterruptedEntry;
  if (entry.person === person && entry.form !== form) return undefined;
  sessionStorage.removeItem(storageKey);
  return entry.person === person ? entry : undefined;
}
