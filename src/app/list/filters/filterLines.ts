import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Actor } from '../../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { FilterInput } from '../../../engine/lists/filter-inputs';
import { isGroupable } from '../../../engine/lists/groupable';
import { filterInScope, scopeFilterName, type ListScope } from '../../../engine/lists/list-scope';
import { dayPresets } from '../../../engine/lists/quick-filter';
import { sortByMatch } from '../../../engine/lists/search-rank';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { localToday } from '../../data/localTime';
import type { Choice } from '../../fields/choices/choice';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useChoices } from '../../fields/choices/useChoices';
import { useListScope } from '../../preferences/listScope';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { useResourceList } from '../ResourceList';
import { useFilterChoices } from './useFilterChoices';
import { useFilterTitles } from './useFilterTitles';

/** A line of the quick filter: a value of a filter, or a filter to open. */
export interface FilterLine {
  readonly id: string;
  readonly input: FilterInput;
  readonly title: string;
  /** Undefined: the line opens the filter. */
  readonly value?: unknown;
  readonly choice?: Choice;
  /** How many records of the list have the value; undefined: not counted. */
  readonly count?: number;
}

const listedKinds: ReadonlySet<FilterInput['kind']> = new Set(['records', 'options', 'flag']);

/** Whether the values of a filter are listed. */
export const isListedKind = ({ kind }: FilterInput): boolean => listedKinds.has(kind);

/** The name of the filter that is on or off; it has no values to choose from. */
const archive = 'archive';

const includesText = (label: string, text: string) => label.toLowerCase().includes(text.trim().toLowerCase());

/** The filters whose labels match a text, and the options of filters that do. */
export function fieldLines(inputs: readonly FilterInput[], text: string): FilterLine[] {
  const fields = inputs.map((input): FilterLine => ({
    id: input.name,
    input,
    title: input.label,
    ...(input.name === archive && { value: 1 }),
  }));
  const matches = fields.filter(({ title }) => includesText(title, text));
  if (text.trim() === '') return matches;
  const options = inputs.flatMap((input) =>
    (input.kind === 'options' ? (input.field?.options ?? []) : [])
      .filter(({ label }) => includesText(label, text))
      .map(({ value, label }): FilterLine => ({
        id: `${input.name} ${value}`,
        input,
        value,
        title: `${input.label}: ${label}`,
      })),
  );
  return sortByMatch([...matches, ...options], text.trim());
}

/** Nothing is listed of it. */
const noInput: FilterInput = { name: '', label: '', kind: 'text', keys: [], many: false };

/** The values of a filter that match a text, with their counts. */
export function useValueLines(input: FilterInput = noInput, text: string): { lines: FilterLine[]; isLoading: boolean } {
  const { definition, state } = useResourceList();
  const isListed = isListedKind(input);
  const source = useFilterChoices(definition, input, state.filters);
  const { choices, loading } = useChoices(source, text, isListed);
  const counts = useCounts(input, isListed);
  const chosenIds =
    input.kind === 'records'
      ? [state.filters[input.keys[0] ?? ''] ?? []].flat().map(Number).filter(Number.isFinite)
      : [];
  const { titles } = useFilterTitles(input, chosenIds, []);
  const makeLines = (): FilterLine[] => {
    if (input.kind === 'date')
      return dayPresets(localToday())
        .filter((preset) => includesText(preset.label, text) && (input.keys.length === 2 || preset.from === preset.to))
        .map((preset): FilterLine => ({ id: preset.label, input, value: preset, title: preset.label }));
    if (input.name === archive) return fieldLines([input], '');
    const listedIds = new Set(choices.map(({ id }) => String(id)));
    const unlistedIds = text === '' ? chosenIds.filter((id) => !listedIds.has(String(id))) : [];
    const allChoices: Choice[] = [...unlistedIds.map((id) => ({ id, title: titles.get(id) ?? `#${id}` })), ...choices];
    return allChoices.map((choice): FilterLine => {
      const value = input.kind === 'flag' ? choice.id === 'true' : choice.id;
      const count = counts && (counts.get(String(value)) ?? 0);
      return { id: String(choice.id), input, value, title: choice.title, choice, count };
    });
  };
  return { lines: makeLines(), isLoading: loading };
}

interface Groups {
  readonly data: readonly { readonly group: ResourceRecord; readonly count: number }[];
}

/** How many records of the list, as it is filtered by everything else, have each value of a filter. */
function useCounts(input: FilterInput, isListed: boolean): ReadonlyMap<string, number> | undefined {
  const ask = useApi();
  const context = useDefinitions();
  const scope = useListScope();
  const {
    definition,
    state: { filters, q },
    fixedValues,
    embedded: isEmbedded,
  } = useResourceList();
  const { name } = definition;
  const field = isListed && input.field && isGroupable(input.field) ? input.field.name : undefined;
  const filter = useMemo(() => {
    const otherFilters = Object.fromEntries(Object.entries(filters).filter(([key]) => !input.keys.includes(key)));
    if (isEmbedded) return filterWithFixed({ filters: otherFilters, q }, fixedValues);
    // A chosen value can end the scope: the counts are those of the list that it leads to.
    const outsideScope = filterOutsideScope(definition, scope, context.actor, fixedValues);
    const filtersWithValue = { ...otherFilters, ...Object.fromEntries(input.keys.map((key) => [key, 1])) };
    const fixedWithValue = filterInScope(definition, scope, context, filtersWithValue, outsideScope);
    return filterWithFixed({ filters: otherFilters, q }, fixedWithValue);
  }, [context, definition, filters, fixedValues, input.keys, isEmbedded, q, scope]);
  const { data } = useQuery({
    queryKey: [name, 'getList', 'counts', field, filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ group: field ?? '', filter: JSON.stringify(filter) });
      return fetchApi<Groups>(`/${name}/aggregate?${query}`, { signal }, ask);
    },
    enabled: field !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  return useMemo(
    () =>
      data && field !== undefined
        ? new Map(data.data.map(({ group, count }) => [String(group[field]), count]))
        : undefined,
    [data, field],
  );
}

/** The fixed filters of a list without what the scope added to them. */
function filterOutsideScope(
  definition: Definition,
  scope: ListScope | undefined,
  actor: Actor,
  fixedFilter: Readonly<ResourceRecord>,
): Readonly<ResourceRecord> {
  const name = scope && scopeFilterName(definition, scope.resource, actor);
  if (name === undefined || fixedFilter[name] !== scope?.id) return fixedFilter;
  const { [name]: _, ...otherFilters } = fixedFilter;
  return otherFilters;
}
