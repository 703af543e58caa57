import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useDataProvider, type GetListResult, type RaRecord } from 'react-admin';
import { useCallback, useMemo } from 'react';
import { isGranted } from '../../engine/access/decide';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { leaderArchivedMessage, leadersOf } from '../../engine/lists/leaders';
import { isArchived, recordTitle } from '../../engine/lists/row-actions';
import { useDefinitions } from '../admin/DefinitionsContext';

/** What keeps a record in the archive. */
export interface Hindrance {
  readonly message: string;
  /** Where it can be removed, and what is found there. */
  readonly to: string;
  readonly title: string;
}

/**
 * Says of archived records what keeps them there: a record that they belong to and that is archived, too. One call for
 * each resource that the definition's records may follow, and none where no archived record is shown.
 */
export function useArchivedLeaders(
  definition: Definition,
  records: readonly RaRecord[] | undefined,
): (record: ResourceRecord) => Hindrance | undefined {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const asked = useMemo(
    () =>
      leadersOf(definition, registry)
        .filter((leader) => isGranted(actor, leader.definition.name, 'list'))
        .map((leader) => ({ ...leader, ids: idsOf(records ?? [], leader.field) })),
    [actor, definition, records, registry],
  );
  const combine = useCallback(
    (answers: readonly UseQueryResult<GetListResult<RaRecord>>[]) => {
      const archived = answers.map(({ data }) => new Map(data?.data.map((record) => [record.id, record])));
      return (record: ResourceRecord) => {
        if (!isArchived(record)) return undefined;
        for (const [index, { definition: leader, field }] of asked.entries()) {
          const found = archived[index]?.get(record[field] as number);
          if (!found) continue;
          const title = recordTitle(leader, found);
          const to = `/${leader.name}?${new URLSearchParams({ archive: '1', q: title }).toString()}`;
          return { message: leaderArchivedMessage(definition, leader), to, title };
        }
        return undefined;
      };
    },
    [asked, definition],
  );
  return useQueries({
    queries: asked.map(({ definition: leader, ids }) => {
      const params = {
        pagination: { page: 1, perPage: Math.max(1, ids.length) },
        sort: { field: 'id', order: 'ASC' as const },
        filter: { id: ids, archive: 1 },
      };
      return {
        queryKey: [leader.name, 'getList', params],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          dataProvider.getList<RaRecord>(leader.name, { ...params, signal }),
        enabled: ids.length > 0,
        // The server says it where this cannot be known.
        retry: false,
        meta: { quiet: true },
      };
    }),
    combine,
  });
}

function idsOf(records: readonly RaRecord[], field: string): number[] {
  const ids = records.filter(isArchived).map((record) => record[field] as unknown);
  return [...new Set(ids.filter((id) => typeof id === 'number'))].sort((one, other) => one - other);
}
