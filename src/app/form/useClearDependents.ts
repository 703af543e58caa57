import { useCallback } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { dependentFieldsOf } from '../../engine/forms/dependent-fields';
import { isSameValue } from '../../engine/forms/form-values';
import { isEmpty } from '../../engine/values/is-empty';
import type { Choice } from '../fields/choices/choice';
import { loadChoices } from '../fields/choices/loadChoices';
import { useApi } from '../session/apiClient';
import { narrowingParent, parentValues } from './fieldChoices';
import type { FormModel } from './useFormModel';
import type { FormValues } from './useFormValues';
import type { FormTitles } from './useFormTitles';

interface ClearDependentsOptions {
  model: FormModel;
  form: FormValues;
  titles: FormTitles;
  /** Shows a note at a field. */
  note: (field: Field, text: string) => void;
}

/**
 * Clears values that are not allowed any more after a field that they depend on changed, and says so in a note. The
 * server decides what is allowed; if it is unreachable the value stays and is validated on saving.
 */
export function useClearDependents({
  model,
  form,
  titles,
  note,
}: ClearDependentsOptions): (changed: readonly string[]) => void {
  const { definition, fields } = model;
  const ask = useApi();
  const clear = useCallback(
    (field: Field, keptValue: unknown, text: string) => {
      form.set({ ...form.current(), [field.name]: keptValue });
      note(field, text);
    },
    [form, note],
  );

  const check = async (field: Field, values: ResourceRecord, follow: (changed: readonly string[]) => void) => {
    const value = values[field.name];
    const parents = parentValues(definition, field, values);
    if (parents.missingParent) {
      clear(field, undefined, `Cleared, because ${parents.missingParent.label} is empty.`);
      return follow([field.name]);
    }
    const ids = (Array.isArray(value) ? value : [value]) as Choice['id'][];
    const query = { resource: definition.name, field: field.name, parents: parents.values, ids };
    const choices = await loadChoices(query, undefined, ask).catch(() => null);
    const now = form.current();
    const isStill = isSameValue(now[field.name], value) && isSameParents(field, now, parents.values);
    if (!choices || !isStill) return;
    const isOffered = (id: Choice['id']) => choices.some((choice) => choice.id === id);
    const clearedTitles = ids.filter((id) => !isOffered(id)).map((id) => titles.latest(field, id) ?? `#${id}`);
    if (clearedTitles.length === 0) return;
    const parent = narrowingParent(definition, field);
    const parentTitle = parent && titles.latest(parent, now[parent.name]);
    clear(
      field,
      Array.isArray(value) ? ids.filter(isOffered) : undefined,
      `Cleared: ${clearedTitles.join(', ')} ${clearedTitles.length > 1 ? 'are' : 'is'} not in ${parentTitle ?? 'the new choice'}.`,
    );
    follow([field.name]);
  };

  const isSameParents = (field: Field, values: ResourceRecord, parents: Record<string, unknown>) =>
    isSameValue(parentValues(definition, field, values).values, parents);

  const follow = (changedNames: readonly string[]): void => {
    const values = form.current();
    for (const name of changedNames) {
      // A different company affects all relations.
      const dependents =
        name === 'site_id'
          ? fields.filter((field) => field.to && field.name !== name)
          : dependentFieldsOf(fields, name);
      for (const field of dependents) {
        if (!isEmpty(values[field.name])) void check(field, values, follow);
      }
    }
  };
  return follow;
}
