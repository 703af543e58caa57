import type { SelectOption } from '../../../engine/definitions/definition';
import { fetchApi } from '../../session/api';
import type { ApiClient } from '../../session/apiClient';
import type { Choice, ChoiceSource } from './choice';

/** Choices per request. */
export const choicesPageSize = 50;

export interface ChoiceQuery {
  resource: string;
  field: string;
  /** Values of the fields that the choices depend on, or share with the record. */
  parents?: Readonly<Record<string, unknown>>;
  /** The record being edited, which is not offered itself. */
  record?: unknown;
  text?: string;
  /** Only records that are one of these states of a field with transitions. */
  states?: readonly string[];
  /** A relation by which records refer to deleted ones, which are offered too: `deals.owner_id`. */
  referredBy?: string;
  /** Only these. */
  ids?: readonly Choice['id'][];
  /** Recently chosen ids, newest first; `none` disables the grouping by nearness. */
  recentIds?: readonly number[] | 'none';
}

/**
 * `GET r/choices/{field}`: the values that a field can be set to.
 *
 * @example await loadChoices({ resource: 'time-logs', field: 'task_id', text: 'retest' });
 */
export async function loadChoices(
  query: ChoiceQuery,
  signal?: AbortSignal,
  ask?: ApiClient,
): Promise<readonly Choice[]> {
  const { resource, field, parents = {}, record, ids, states, referredBy } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parents)) parameters.set(name, String(value));
  if (record !== undefined && record !== null) parameters.set('record', String(record));
  if (states) parameters.set('states', JSON.stringify(states));
  if (ids) parameters.set('id', ids.join(','));
  if (referredBy) parameters.set('referred_by', referredBy);
  return fetchChoices(`/${resource}/choices/${field}`, parameters, query, signal, ask);
}

export interface ListedChoicesQuery extends Pick<ChoiceQuery, 'resource' | 'text' | 'recentIds' | 'referredBy'> {
  filter: Readonly<Record<string, unknown>>;
}

/** `GET r/choices`: the records that the user may list, for filters. */
export function loadListedChoices(
  query: ListedChoicesQuery,
  signal?: AbortSignal,
  ask?: ApiClient,
): Promise<readonly Choice[]> {
  const { resource, filter, referredBy } = query;
  const parameters = new URLSearchParams();
  if (Object.keys(filter).length > 0) parameters.set('filter', JSON.stringify(filter));
  if (referredBy) parameters.set('referred_by', referredBy);
  return fetchChoices(`/${resource}/choices`, parameters, query, signal, ask);
}

async function fetchChoices(
  path: string,
  parameters: URLSearchParams,
  { text = '', recentIds = [] }: Pick<ChoiceQuery, 'text' | 'recentIds'>,
  signal?: AbortSignal,
  ask?: ApiClient,
): Promise<readonly Choice[]> {
  if (text) parameters.set('q', text);
  else if (recentIds === 'none') parameters.set('near', '0');
  else if (recentIds.length > 0) parameters.set('near', recentIds.join(','));
  parameters.set('range', JSON.stringify([0, choicesPageSize - 1]));
  return (await fetchApi<{ data: Choice[] }>(`${path}?${parameters}`, { signal }, ask)).data;
}

/** The fixed options of a field as a source of choices. */
export function optionSource(options: readonly SelectOption[]): ChoiceSource {
  const choices = options.map(({ value, label, tone }) => ({ id: value, title: label, tone }));
  const load = (text: string) =>
    Promise.resolve(choices.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase())));
  return { key: ['options', options], load, knownChoices: choices };
}
