import { useCallback } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { dependentsOf } from '../../engine/forms/dependents';
import { isSameValue } from '../../engine/forms/form-values';
import { isEmpty } from '../../engine/validation/check-values';
import { loadChoices } from '../choices/loadChoices';
import { parentTitle, parentValues } from './fieldChoices';
import type { FormModel } from './useFormModel';
import type { FormValues } from './useFormValues';
import type { FormTitles } from './useTitles';

interface Clearing {
  model: FormModel;
  form: FormValues;
  titles: FormTitles;
  /** Says beside a field what happened to it. */
  note: (field: Field, text: string) => void;
}

/**
 * Follows changes of the fields that others' choices depend on: a value that the new parent does not allow is cleared,
 * with a note. The server is asked, because it alone knows what a choice means; where it cannot be reached the value
 * stays, and is checked when it is saved.
 */
export function useClearing({ model, form, titles, note }: Clearing): (changed: readonly string[]) => void {
  const { definition, fields } = model;
  const clear = useCallback(
    (field: Field, kept: unknown, text: string) => {
      form.set({ ...form.current(), [field.name]: kept });
      note(field, text);
    },
    [form, note],
  );

  const check = async (field: Field, values: ResourceRecord, follow: (changed: readonly string[]) => void) => {
    const value = values[field.name];
    const parents = parentValues(definition, field, values);
    if (parents.missing) {
      clear(field, undefined, `Cleared, because ${parents.missing.label} is empty.`);
      return follow([field.name]);
    }
    const ids = Array.isArray(value) ? (value as unknown[]) : [value];
    const query = { resource: definition.name, field: field.name, parents: parents.values };
    const allowed = await Promise.all(
      ids.map(async (id) => {
        const offered = await loadChoices({ ...query, text: titles.titleOf(field, id) });
        return offered.some((choice) => choice.id === id);
      }),
    ).catch(() => null);
    const now = form.current();
    const isStill = isSameValue(now[field.name], value) && isSameParents(field, now, parents.values);
    if (!allowed || allowed.every(Boolean) || !isStill) return;
    const gone = ids.filter((_, index) => !allowed[index]).map((id) => titles.titleOf(field, id) ?? `#${String(id)}`);
    const place = parentTitle(definition, field, now, titles);
    const kept = Array.isArray(value) ? ids.filter((_, index) => allowed[index]) : undefined;
    clear(
      field,
      kept,
      `Cleared: ${gone.join(', ')} ${gone.length > 1 ? 'are' : 'is'} not in ${place ?? 'the new choice'}.`,
    );
    follow([field.name]);
  };

  const isSameParents = (field: Field, values: ResourceRecord, parents: Record<string, unknown>) =>
    isSameValue(parentValues(definition, field, values).values, parents);

  const follow = (changed: readonly string[]): void => {
    const values = form.current();
    for (const name of changed) {
      for (const field of dependentsOf(fields, name)) {
        if (!isEmpty(values[field.name])) void check(field, values, follow);
      }
    }
  };
  return follow;
}
