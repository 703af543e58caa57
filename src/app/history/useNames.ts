import { useQueries } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import { useMemo } from 'react';
import type { Definition, Field } from '../../engine/definitions/definition';
import { namedIds, type HistoryLine, type Names } from '../../engine/history/changes';
import { canList } from '../../engine/lists/filter-inputs';
import { recordTitle } from '../../engine/lists/row-actions';
import { loadChoices } from '../choices/loadChoices';
import { useDefinitions } from '../admin/DefinitionsContext';

/**
 * What the related records of some changes are called: asked of their own lists or, where those are not open, of the
 * field's choices. Whoever changed something is known by the changes themselves.
 */
export function useNames(definition: Definition, lines: readonly HistoryLine[]): Names {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const asked = useMemo(() => [...namedIds(definition, lines)], [definition, lines]);

  const load = async (field: Field, ids: readonly number[]): Promise<[number, string][]> => {
    const to = field.to!;
    if (!canList(to, registry, actor)) {
      const choices = await loadChoices({ resource: definition.name, field: field.name, ids });
      return choices.map(({ id, title }) => [Number(id), title]);
    }
    const target = registry.need(to);
    const { data } = await dataProvider.getMany(to, { ids: [...ids] });
    return data.map((record) => [Number(record.id), recordTitle(target, record)]);
  };
  return useQueries({
    queries: asked
      .filter(([, ids]) => ids.length > 0)
      .map(([field, ids]) => ({
        queryKey: [field.to!, 'names', definition.name, field.name, ids],
        queryFn: async () => ({ to: field.to!, titles: await load(field, ids) }),
        staleTime: 60_000,
        retry: false,
        meta: { quiet: true },
      })),
    combine: (results) => {
      const names = new Map<string, Map<number, string>>();
      for (const { data } of results) {
        if (!data) continue;
        names.set(data.to, new Map([...(names.get(data.to) ?? []), ...data.titles]));
      }
      return names;
    },
  });
}
