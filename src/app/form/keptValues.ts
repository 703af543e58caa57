import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRelation } from '../../engine/field-types/relation';
import { isSameValue } from '../../engine/forms/form-values';
import { isEmpty } from '../../engine/values/is-empty';
import { loadChoices } from '../fields/choices/loadChoices';
import type { ApiClient } from '../session/apiClient';
import { parentValues } from './fieldChoices';
import type { FormTitles } from './useFormTitles';
import type { FormValues } from './useFormValues';

const keyOf = (person: number, resource: string) => `assay.kept.${person}.${resource}`;

/**
 * Stores in this browser the values that the next new record of a person begins with.
 *
 * @example rememberKeptValues(person, 'meals', { day: 3 });
 */
export function rememberKeptValues(person: number, resource: string, values: ResourceRecord): void {
  try {
    localStorage.setItem(keyOf(person, resource), JSON.stringify(values));
  } catch {
    // Without storage the next record begins without them.
  }
}

function keptValues(person: number, resource: string): ResourceRecord {
  try {
    return JSON.parse(localStorage.getItem(keyOf(person, resource)) ?? '{}') as ResourceRecord;
  } catch {
    return {};
  }
}

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
  const stored = keptValues(person, definition.name);
  const isOpen = (name: string) =>
    isEmpty(form.record[name]) && isSameValue(form.current()[name], form.startValues[name]);
  const fields = names.flatMap((name): Field[] => {
    const field = definition.fields[name];
    return field && !isEmpty(stored[name]) && isOpen(name) ? [field] : [];
  });
  const values = { ...form.current(), ...Object.fromEntries(fields.map(({ name }) => [name, stored[name]])) };
  const isOffered = async (field: Field) => {
    if (!isRelation(field)) return true;
    const parents = parentValues(definition, field, values);
    if (parents.missingParent) return false;
    const ids = [values[field.name] as number];
    const query = { resource: definition.name, field: field.name, parents: parents.values, ids };
    const choices = await loadChoices(query, signal, ask).catch(() => []);
    const found = choices.filter(({ id }) => id === ids[0]);
    titles.add(field, found);
    return found.length > 0;
  };
  const offered = await Promise.all(fields.map(isOffered));
  if (signal.aborted) return;
  const taken: ResourceRecord = {};
  // A value that depends on one that is not offered any more goes with it.
  for (const field of fields.filter((one, index) => offered[index] && isOpen(one.name)))
    if (!parentValues(definition, field, { ...form.current(), ...taken }).missingParent)
      taken[field.name] = values[field.name];
  if (Object.keys(taken).length > 0) form.begin(taken);
}
