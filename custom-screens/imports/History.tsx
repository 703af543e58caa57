import { DataGrid, type GridColDef } from '@mui/x-data-grid';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import { formatInstant } from '../../src/engine/formats/dates';
import { Initials } from '../../src/app/layout/Initials';
import { Footer } from '../../src/app/list/Footer';
import { EmptyState } from '../../src/app/states/EmptyState';
import { FailedState } from '../../src/app/states/FailedState';
import { fetchHistory, room, type ImportLine } from './calls';
import '../../src/app/list/list.css';

const often = 2_000;
/** An import that says nothing for longer than this ended with its server. */
const longest = 15 * 60_000;

const columns: GridColDef<ImportLine>[] = [
  {
    field: 'file_name',
    headerName: 'File Name',
    flex: 1,
    minWidth: 240,
    renderCell: ({ row }) => <FileCell line={row} />,
  },
  {
    field: 'user',
    headerName: 'Imported By',
    width: 240,
    renderCell: ({ row: { user } }) =>
      user && (
        <span className="imports-user">
          <Initials name={user.name} />
          {user.name}
        </span>
      ),
  },
  {
    field: 'created_at',
    headerName: 'Imported On',
    width: 190,
    renderCell: ({ row }) => (isRunning(row) ? 'Running now' : formatInstant(row.created_at)),
  },
];

/** What was imported of a type: the files, by whom and when; those under way with how far they are. */
export function History({ definition }: { definition: Definition }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    queryKey: [room, definition.name, page],
    queryFn: ({ signal }) => fetchHistory(definition.name, page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? often : false),
    retry: false,
    meta: { quiet: true },
  });
  const title = `Imported ${definition.labels.many} History`;
  return (
    <section className="imports-card imports-history" aria-label={title}>
      <header>
        <h2>
          {title}
          <small className="num"> | Total Records: {data?.total ?? '…'}</small>
        </h2>
      </header>
      {error && !data && (
        <FailedState title="The history could not be loaded" message={error.message} onRetry={() => void refetch()} />
      )}
      {data?.total === 0 && <EmptyState sentence="Files that are imported are listed here." />}
      {!error && data?.total !== 0 && (
        <>
          <DataGrid
            className="grid"
            aria-label={title}
            rows={data?.data ?? []}
            columns={columns}
            loading={!data}
            rowHeight={50}
            columnHeaderHeight={50}
            autoHeight
            hideFooter
            disableRowSelectionOnClick
            disableColumnSelector
            disableColumnMenu
            disableColumnSorting
            slotProps={{ loadingOverlay: { variant: 'skeleton', noRowsVariant: 'skeleton' } }}
          />
          <Footer page={page} shown={data?.data.length} total={data?.total} onPage={setPage} />
        </>
      )}
    </section>
  );
}

function isRunning({ state, created_at: begun }: ImportLine): boolean {
  return state === 'running' && Date.now() - new Date(begun).getTime() < longest;
}

function FileCell({ line }: { line: ImportLine }) {
  const { file_name: name, file_path: path, total, imported, failed } = line;
  const done = (imported ?? 0) + (failed ?? 0);
  if (isRunning(line)) {
    return (
      <span className="imports-running">
        <span>{name}</span>
        <progress max={total ?? 1} value={done} aria-label={`${name}, ${done} of ${total}`} />
        <small className="num">
          {done.toLocaleString('en')} of {(total ?? 0).toLocaleString('en')}
        </small>
      </span>
    );
  }
  const file = path ? (
    <a className="imports-link" href={path} download={name}>
      {name}
    </a>
  ) : (
    name
  );
  if (line.state === 'done') return file;
  return (
    <span className="imports-interrupted">
      <span>{file}</span>
      <small className="num">
        Interrupted, as the server stopped, after at least {done.toLocaleString('en')} of{' '}
        {(total ?? 0).toLocaleString('en')} rows
      </small>
    </span>
  );
}
