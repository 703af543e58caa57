import useMediaQuery from '@mui/material/useMediaQuery';
import { DataGrid, type GridColDef } from '@mui/x-data-grid';
import { useMemo, useState } from 'react';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn } from '../../../engine/lists/column-value';
import { readableColumns } from '../../../engine/lists/columns';
import { emptySentence } from '../../../engine/lists/empty-sentence';
import { perPage, parseListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useResolvedValues } from '../../data/useEvaluationContext';
import { displayOf, FieldCell } from '../../fields/displays';
import { Pagination } from '../../list/Pagination';
import { useRecords } from '../../list/useRecords';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { phone } from '../../theme/overrides';
import * as gridStyles from '../../list/grid/grid.module.css';
import * as styles from './requests.module.css';

interface RelatedRecordsProps {
  list: NonNullable<RequestDefinition['list']>;
  record: ResourceRecord;
}

const newestFirst = { field: 'created_at', order: 'DESC' } as const;

/** All columns in one, where they have no room beside each other. */
function stackOf({ labels }: Definition, columns: readonly GridColDef[]): GridColDef {
  return {
    field: 'stack',
    headerName: labels.many,
    sortable: false,
    disableColumnMenu: true,
    flex: 1,
    renderCell: (params) => (
      <dl className={styles.relatedStack}>
        {columns.map(({ field, headerName, renderCell }) => (
          <div key={field}>
            <dt>{headerName}</dt>
            <dd>{renderCell?.(params)}</dd>
          </div>
        ))}
      </dl>
    ),
  };
}

/** The related records of a record, read-only: newest first, long text in full. */
export function RelatedRecords({ list, record }: RelatedRecordsProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow(list.resource);
  const [page, setPage] = useState(1);
  const fixedValues = useResolvedValues(list.filter, record);
  const state = useMemo(
    () => ({ ...parseListState([], definition), sort: newestFirst, group: null, page }),
    [definition, page],
  );
  const {
    data,
    total,
    error,
    refetch: retry,
    isReplacing: fetching,
    totalKey,
  } = useRecords(list.resource, state, fixedValues, 'defined');
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const columns = useMemo(() => {
    const shownColumns = readableColumns(definition, actor)
      .filter(({ visible }) => visible)
      .flatMap(({ field: path, label }): GridColDef[] => {
        const source = resolveColumn(path, definition, registry);
        if (!source) return [];
        const { isMultiline, relatedWidth } = displayOf(source.field);
        return [
          {
            field: path,
            headerName: label,
            sortable: false,
            disableColumnMenu: true,
            ...(isMultiline ? { flex: 1, minWidth: 200 } : { width: relatedWidth }),
            valueGetter: (_value, row: ResourceRecord) => source.value(row),
            renderCell: ({ row }) => {
              const value = source.value(row as ResourceRecord);
              if (isMultiline) return <span className={styles.relatedText}>{String(value ?? '')}</span>;
              const cell = { field: source.field, definition: source.definition, registry };
              return <FieldCell {...cell} value={value} record={source.record(row as ResourceRecord)} />;
            },
          },
        ];
      });
    return isPhone ? [stackOf(definition, shownColumns)] : shownColumns;
  }, [actor, definition, registry, isPhone]);
  if (error)
    return (
      <FailedState title={`${definition.labels.many} could not be loaded`} message={error.message} onRetry={retry} />
    );
  if (data?.length === 0 && !fetching) return <EmptyState sentence={emptySentence(definition)} />;
  return (
    <>
      <DataGrid
        className={`${gridStyles.grid} ${gridStyles.gridTall} ${gridStyles.gridRaised}`}
        aria-label={definition.labels.many}
        rows={data ?? []}
        columns={columns}
        loading={data === undefined}
        getRowHeight={() => 'auto'}
        rowCount={Math.floor(total ?? 0)}
        paginationMode="server"
        hideFooter
        disableRowSelectionOnClick
        disableColumnSelector
        disableVirtualization
        slotProps={{ loadingOverlay: { variant: 'skeleton', noRowsVariant: 'skeleton' } }}
      />
      {(total ?? 0) > perPage && (
        <Pagination {...{ page, total, totalKey }} shownCount={data?.length} onPage={setPage} />
      )}
    </>
  );
}
