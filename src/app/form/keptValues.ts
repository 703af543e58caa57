import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRelation } from '../../engine/field-types/relation';
import { isSameValue } from '../../engine/forms/form-values';
import { isEmpty } from '../../engine/values/is-empty';
import { loadChoices } from '../fields/choices/loadChoices';
import type { ApiClient } from '../session/apiClient';
import { parentValues } from './fieldChoices';
import { keptValues } from './keptStore';
import type { FormTitles } from './useFormTitles';
import type { FormValues } from './useFormValues';

interface LookupOptions {
  readonly signal: AbortSignal;
  readonly ask: ApiClient;
  readonly person: number;
}

/**
 * Begins a new record with the values that were kept of the last one: where nothing was given or chosen yet, and the server
 * still offers them.
 */
export async function takeKeptValues(
  definition: Definition,
  names: readonly string[],
  form: FormValues,
  titles: FormTitles,
  { signal, ask, person }: LookupOptions,
): Promise<void> {
  const storedValues = keptValues(person, definition.name);
  const isOpen = (name: string) =>
    isEmpty(form.record[name]) && isSameValue(form.current()[name], form.startValues[name]);
  const fields = names.flatMap((name): Field[] => {
    const field = definition.fields[name];
    return field && !isEmpty(storedValues[name]) && isOpen(name) ? [field] : [];
  });
  const values = { ...form.current(), ...Object.fromEntries(fields.map(({ name }) => [name, storedValues[name]])) };
  const isOffered = async (field: Field) => {
    if (!isRelation(field)) return true;
    const parents = parentValues(definition, field, values);
    if (parents.missingParent) return false;
    const ids = [values[field.name] as number];
    const query = { resource: definition.name, field: field.name, parents: parents.values, ids };
    const choices = await loadChoices(query, signal, ask).catch(() => []);
    const foundChoices = choices.filter(({ id }) => id === ids[0]);
    titles.add(field, foundChoices);
    return foundChoices.length > 0;
  };
  const offeredFlags = await Promise.all(fields.map(isOffered));
  if (signal.aborted) return;
  const takenValues: ResourceRecord = {};
  // A value that depends on one that is not offered any more goes with it.
  for (const field of fields.filter((field, index) => offeredFlags[index] && isOpen(field.name)))
    if (!parentValues(definition, field, { ...form.current(), ...takenValues }).missingParent)
      takenValues[field.name] = values[field.name];
  if (Object.keys(takenValues).length > 0) form.begin(takenValues);
}
