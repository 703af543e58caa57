import type { Option } from '../../engine/definitions/definition';
import { fetchApi } from '../session/api';
import type { Ask } from '../session/ask';
import type { Choice, ChoiceSource } from './choice';

/** Choices that travel at a time. */
export const pageOfChoices = 50;

export interface ChoiceQuery {
  resource: string;
  field: string;
  /** The values of the fields that the choices depend on. */
  parents?: Readonly<Record<string, unknown>>;
  /** The stored record that is edited: it is never chosen for itself. */
  record?: unknown;
  text?: string;
  /** Those alone. */
  ids?: readonly Choice['id'][];
}

/** `GET r/choices/{field}`: what a field may be set to. */
export async function loadChoices(query: ChoiceQuery, signal?: AbortSignal, ask?: Ask): Promise<readonly Choice[]> {
  const { resource, field, parents = {}, record, text = '', ids } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parents)) parameters.set(name, String(value));
  if (record !== undefined && record !== null) parameters.set('record', String(record));
  if (text) parameters.set('q', text);
  if (ids) parameters.set('id', ids.join(','));
  parameters.set('range', JSON.stringify([0, pageOfChoices - 1]));
  const answer = await fetchApi<{ data: Choice[] }>(`/${resource}/choices/${field}?${parameters}`, { signal }, ask);
  return answer.data;
}

/** The fixed options of a field as a source of choices. */
export function optionSource(options: readonly Option[]): ChoiceSource {
  const choices = options.map(({ value, label, tone }) => ({ id: value, title: label, tone }));
  const load = (text: string) =>
    Promise.resolve(choices.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase())));
  return { key: ['options', options], load, known: choices };
}
