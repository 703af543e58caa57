import { useQueries } from '@tanstack/react-query';
import { fieldsOfAllRecords } from '../../../engine/access/access-decision';
import { countedRelation, type SwitcherDefinition } from '../../../engine/lists/list-scope';
import type { CountedGroup } from '../../../engine/lists/charts';
import { figuresQuery } from '../../charts/useFigures';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { ScopeCounts } from './scopeOf';

/** The counts of these records of the switcher. Those of records that the person may not list, or that are on their way, are undefined. */
export function useScopeCounts({ menu }: SwitcherDefinition, ids: readonly number[]): ScopeCounts {
  const { registry, actor } = useDefinitions();
  const sortedIds = ids.toSorted((left, right) => left - right);
  return useQueries({
    queries: menu.switcher.counts.map((count) => {
      const { resource, relation } = countedRelation(count);
      const definition = registry.get(resource);
      const query = new URLSearchParams({
        ...{ group: relation, take: 'count', filter: JSON.stringify({ [relation]: sortedIds }) },
        ...(count.where && { where: JSON.stringify(count.where) }),
      });
      return {
        ...figuresQuery<readonly CountedGroup[]>(`/${resource}/aggregate?${query.toString()}`, [resource]),
        enabled: ids.length > 0 && definition !== undefined && fieldsOfAllRecords(actor, definition).has(relation),
      };
    }),
    combine: (answers) =>
      answers.map(({ data }, index) => {
        const count = menu.switcher.counts[index];
        if (!data || !count) return undefined;
        const { relation } = countedRelation(count);
        return new Map(data.map((group) => [Number(group.group[relation]), group.count ?? 0]));
      }),
  });
}
