import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { canList, type FilterInput } from '../../../engine/lists/filter-inputs';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';

interface FilterTitles {
  titles: ReadonlyMap<number, string>;
  /** The total number of choices; only known if the input has a label for "all of them". */
  total: number | undefined;
}

/**
 * The titles of a filter's chosen records: from their own list or, if the user may not list them, from embeds in the
 * rows.
 *
 * @example const titles = useFilterTitles(input, [4, 7], rows);
 */
export function useFilterTitles(
  input: FilterInput | undefined,
  ids: readonly number[],
  rows: readonly ResourceRecord[],
): FilterTitles {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const resource = input?.to ?? '';
  const mayList = canList(resource, registry, actor);
  const { data } = useQuery({
    queryKey: [resource, 'titles', ids],
    queryFn: async () => {
      const definition = registry.getOrThrow(resource);
      const { data: records } = await dataProvider.getMany(resource, { ids: [...ids] });
      return new Map(records.map((record) => [Number(record.id), recordTitle(definition, record)]));
    },
    enabled: mayList && ids.length > 0,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const { data: total } = useQuery({
    queryKey: [resource, 'getList', 'total'],
    queryFn: async () =>
      (
        await dataProvider.getList(resource, {
          pagination: { page: 1, perPage: 1 },
          sort: { field: 'id', order: 'ASC' },
          filter: {},
          meta: { fields: ['id'] },
        })
      ).total,
    enabled: mayList && input?.allLabel !== undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  // Deleted records are in no list of their own, but rows may still have their titles.
  return { titles: new Map([...titlesFromEmbeds(input, rows), ...(data ?? [])]), total };
}

function titlesFromEmbeds(input: FilterInput | undefined, rows: readonly ResourceRecord[]): Map<number, string> {
  const titles = new Map<number, string>();
  const embed = input?.field?.embed;
  if (!embed) return titles;
  for (const row of rows) {
    const embedded = row[embed] as ResourceRecord | null | undefined;
    if (!embedded || Array.isArray(embedded)) continue;
    const title = Object.entries(embedded).find(([key, value]) => key !== 'id' && typeof value === 'string');
    if (title) titles.set(Number(embedded.id), String(title[1]));
  }
  return titles;
}
