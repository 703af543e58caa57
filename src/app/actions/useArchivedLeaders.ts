import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useDataProvider, type GetListResult, type RaRecord } from 'react-admin';
import { useCallback, useMemo } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { parentArchivedMessage, archivingParentsOf } from '../../engine/lists/archiving-parents';
import { isArchived, recordTitle } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';

/** Why a record cannot be unarchived. */
export interface ActionBlocker {
  readonly message: string;
  /** Where to resolve it, and the title of the record there. */
  readonly to: string;
  readonly title: string;
}

/**
 * Finds out which archived records cannot be unarchived because a record that they belong to is archived too. One
 * request for each such resource, and none if no archived record is shown.
 */
export function useArchivedLeaders(
  definition: Definition,
  records: readonly RaRecord[] | undefined,
): (record: ResourceRecord) => ActionBlocker | undefined {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const leaders = useMemo(
    () =>
      archivingParentsOf(definition, registry)
        .filter((leader) => isGranted(actor, leader.definition.name, 'list'))
        .map((leader) => ({ ...leader, ids: idsOf(records ?? [], leader.field) })),
    [actor, definition, records, registry],
  );
  const combine = useCallback(
    (answers: readonly UseQueryResult<GetListResult<RaRecord>>[]) => {
      const archived = answers.map(({ data }) => new Map(data?.data.map((record) => [record.id, record])));
      return (record: ResourceRecord) => {
        if (!isArchived(record)) return undefined;
        for (const [index, { definition: leader, field }] of leaders.entries()) {
          const leaderRecord = archived[index]?.get(record[field] as number);
          if (!leaderRecord) continue;
          const title = recordTitle(leader, leaderRecord);
          const path = `/${leader.name}?${new URLSearchParams({ archive: '1', q: title }).toString()}`;
          return { message: parentArchivedMessage(definition, leader), to: path, title };
        }
        return undefined;
      };
    },
    [leaders, definition],
  );
  return useQueries({
    queries: leaders.map(({ definition: leader, ids }) => {
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
        // If this cannot be known in advance, the server's error says it.
        retry: false,
        meta: { quiet: true },
      };
    }),
    combine,
  });
}

function idsOf(records: readonly RaRecord[], field: string): number[] {
  const ids = records.filter(isArchived).map((record) => record[field] as unknown);
  return [...new Set(ids.filter((id) => typeof id === 'number'))].sort((left, right) => left - right);
}
