import type { Option } from '../../engine/definitions/definition';
import { fetchApi } from '../session/api';
import type { Ask } from '../session/ask';
import type { Choice, ChoiceSource } from './choice';

/** Choices per request. */
export const pageOfChoices = 50;

export interface ChoiceQuery {
  resource: string;
  field: string;
  /** Values of the fields that the choices depend on, or share with the record. */
  parents?: Readonly<Record<string, unknown>>;
  /** The record being edited, which is not offered itself. */
  record?: unknown;
  text?: string;
  /** Only these. */
  ids?: readonly Choice['id'][];
  /** Recently chosen ids, newest first; `none` disables the grouping by nearness. */
  near?: readonly number[] | 'none';
}

/** `GET r/choices/{field}`: the values that a field can be set to. */
export async function loadChoices(query: ChoiceQuery, signal?: AbortSignal, ask?: Ask): Promise<readonly Choice[]> {
  const { resource, field, parents = {}, record, ids } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parents)) parameters.set(name, String(value));
  if (record !== undefined && record !== null) parameters.set('record', String(record));
  if (ids) parameters.set('id', ids.join(','));
  return answered(`/${resource}/choices/${field}`, parameters, query, signal, ask);
}

export interface OfferQuery extends Pick<ChoiceQuery, 'resource' | 'text' | 'near'> {
  filter: Readonly<Record<string, unknown>>;
}

/** `GET r/choices`: the records that the user may list, for filters. */
export function loadOffered(query: OfferQuery, signal?: AbortSignal, ask?: Ask): Promise<readonly Choice[]> {
  const { resource, filter } = query;
  const parameters = new URLSearchParams();
  if (Object.keys(filter).length > 0) parameters.set('filter', JSON.stringify(filter));
  return answered(`/${resource}/choices`, parameters, query, signal, ask);
}

async function answered(
  path: string,
  parameters: URLSearchParams,
  { text = '', near = [] }: Pick<ChoiceQuery, 'text' | 'near'>,
  signal?: AbortSignal,
  ask?: Ask,
): Promise<readonly Choice[]> {
  if (text) parameters.set('q', text);
  else if (near === 'none') parameters.set('near', '0');
  else if (near.length > 0) parameters.set('near', near.join(','));
  parameters.set('range', JSON.stringify([0, pageOfChoices - 1]));
  return (await fetchApi<{ data: Choice[] }>(`${path}?${parameters}`, { signal }, ask)).data;
}

/** The fixed options of a field as a source of choices. */
export function optionSource(options: readonly Option[]): ChoiceSource {
  const choices = options.map(({ value, label, tone }) => ({ id: value, title: label, tone }));
  const load = (text: string) =>
    Promise.resolve(choices.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase())));
  return { key: ['options', options], load, known: choices };
}
