import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { RecordContextProvider, useGetOne, type RaRecord } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { canDo } from '../../../engine/access/can-do';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import type { HistoryEntry } from '../../../engine/history/field-changes';
import { perPage } from '../../../engine/lists/list-state';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Pagination } from '../../list/Pagination';
import { usePage } from '../../layout/page';
import { ApiError } from '../../session/apiError';
import { EmptyState } from '../../states/EmptyState';
import { MissingRecordScreen } from '../../states/MissingRecord';
import { FailedState } from '../../states/FailedState';
import { lazyComponent } from '../../states/lazyComponent';
import { fetchHistory } from '../../history/fetchHistory';
import { HistoryGrid } from './HistoryGrid';
import * as styles from '../../list/list.module.css';

const CompareVersions = lazyComponent(() => import('../../history/CompareVersions'));

interface HistoryScreenProps {
  definition: Definition;
  /** The record's id. */
  id: string;
}

const noLines = [] as const;

/** All changes of a record, newest first: old and new values, user and time. */
export function HistoryScreen({ definition, id }: HistoryScreenProps) {
  const { name, labels } = definition;
  const [query, setQuery] = useSearchParams();
  const requested = Number(query.get('page') ?? 1);
  const page = Number.isInteger(requested) && requested > 0 ? requested : 1;
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'history', id, page],
    queryFn: ({ signal }) => fetchHistory(name, id, (page - 1) * perPage, perPage, signal),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  const { data: record } = useGetOne<RaRecord>(name, { id }, { retry: false, meta: { quiet: true } });
  const recordName = record ? recordTitle(definition, record) : `#${id}`;
  const title = `${labels.one} History`;
  usePage({
    title: data ? `${title} | Total Records: ${formatNumber(data.total)}` : title,
    note: recordName,
    record: recordName,
    back: { to: `/${name}/${id}`, label: labels.one },
    flat: true,
  });
  const [comparison, setComparison] = useState<{ id: number; newer: number }>();
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const total = data?.total ?? 0;
  const compare = useCallback(
    (line: HistoryEntry, version: number) => {
      if (line.id !== undefined) setComparison({ id: line.id, newer: total - version });
    },
    [total],
  );
  const lines = data?.lines ?? noLines;
  if (error && !data) {
    const listLink = { to: `/${name}`, label: `All ${labels.many.toLowerCase()}` };
    if (error instanceof ApiError && error.status === 404) return <MissingRecordScreen definition={definition} />;
    return (
      <FailedState
        title={`${title} could not be loaded`}
        message={error.message}
        onRetry={() => void refetch()}
        link={listLink}
      />
    );
  }
  return (
    <RecordContextProvider value={record}>
      <div className={styles.listBody} data-view="list">
        {data?.total === 0 ? (
          <EmptyState sentence={`No changes of this ${labels.one.toLowerCase()} are recorded.`} />
        ) : (
          <HistoryGrid
            definition={definition}
            lines={data ? lines : undefined}
            newest={data ? data.total - (page - 1) * perPage : 0}
            onCompare={compare}
          />
        )}
      </div>
      <Pagination
        page={page}
        shownCount={data?.lines.length}
        total={data?.total}
        onPage={(next) => setQuery(next === 1 ? {} : { page: String(next) })}
      />
      {comparison && record && (
        <CompareVersions
          definition={definition}
          version={comparison.id}
          newer={comparison.newer}
          mayRestore={!actor.viewer && canDo(actor, definition, 'edit', record, evaluationContext)}
          onClose={() => setComparison(undefined)}
        />
      )}
    </RecordContextProvider>
  );
}
