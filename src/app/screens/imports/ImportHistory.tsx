import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { formatInstant } from '../../../engine/formats/dates';
import { Pagination } from '../../list/Pagination';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { Progress } from '../jobs/Progress';
import { PersonName } from '../lists/PersonName';
import { PlainGrid } from '../lists/PlainGrid';
import { usePolledPage } from '../lists/usePolledPage';
import { fetchHistory, type ImportEntry } from './api';
import { importsKey } from '../../data/importAccess';
import * as styles from './imports.module.css';

const pollInterval = 2_000;
const runningLabels = { waiting: 'Waiting', running: 'Running now' } as const;

const columns: GridColDef<ImportEntry>[] = [
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
    renderCell: ({ row: { user } }) => user && <PersonName name={user.name} />,
  },
  {
    field: 'created_at',
    headerName: 'Imported On',
    width: 190,
    renderCell: ({ row }) =>
      isRunning(row) ? runningLabels[row.state as keyof typeof runningLabels] : formatInstant(row.created_at),
  },
];

/** The imported files of a resource: who imported them and when; running imports show their progress. */
export function ImportHistory({ definition }: { definition: Definition }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = usePolledPage({
    key: [importsKey, definition.name, page],
    fetchPage: (signal) => fetchHistory(definition.name, page, signal),
    isChanging: isRunning,
    activeInterval: pollInterval,
    idleInterval: false,
  });
  const title = `Imported ${definition.labels.many} History`;
  return (
    <section className={styles.importsCard} aria-label={title}>
      <header>
        <h2>
          {title}
          <small className="num"> | Total Records: {data ? formatNumber(data.total) : '…'}</small>
        </h2>
      </header>
      {error && !data && (
        <FailedState title="The history could not be loaded" message={error.message} onRetry={() => void refetch()} />
      )}
      {data?.total === 0 && <EmptyState sentence="Files that are imported are listed here." />}
      {!error && data?.total !== 0 && (
        <>
          <PlainGrid label={title} rows={data?.data ?? []} columns={columns} rowHeight={50} loading={!data} />
          <Pagination page={page} shownCount={data?.data.length} total={data?.total} onPage={setPage} />
        </>
      )}
    </section>
  );
}

function isRunning({ state }: ImportEntry): boolean {
  return state in runningLabels;
}

function FileCell({ line }: { line: ImportEntry }) {
  const { file_name: name, file_path: path, total, imported: importedCount, failed } = line;
  const processedCount = (importedCount ?? 0) + (failed ?? 0);
  if (isRunning(line)) {
    return (
      <Box component="span" sx={{ display: 'inline-flex', gap: 2, alignItems: 'center', height: '100%' }}>
        <span>{name}</span>
        <Progress value={processedCount} total={total} label={name} />
      </Box>
    );
  }
  const file = path ? (
    <a className={styles.importsLink} href={path} download={name}>
      {name}
    </a>
  ) : (
    name
  );
  return (
    <span className={styles.importsInterrupted}>
      <span>{file}</span>
      <small className="num">
        {line.state === 'done' ? resultCounts(line) : outcomeText(line)}
        {line.asked && ` · ${line.asked}`}
      </small>
    </span>
  );
}

/** `120 imported`, or `117 imported, 3 with errors` with a link to the rows with errors. */
function resultCounts({ imported: importedCount, failed, failed_path: rows }: ImportEntry) {
  const withErrors = `${formatNumber(failed ?? 0)} with errors`;
  return (
    <>
      {formatNumber(importedCount ?? 0)} imported
      {Boolean(failed) && ', '}
      {Boolean(failed) && (rows ? <FailedLink path={rows} text={withErrors} /> : withErrors)}
    </>
  );
}

function FailedLink({ path, text }: { path: string; text: string }) {
  return (
    <a className={styles.importsLink} href={path} download>
      {text}
    </a>
  );
}

/** The outcome of an import that did not finish. */
function outcomeText({ state, imported: importedCount, failed, total }: ImportEntry): string {
  const ofTotal = `of ${formatNumber(total ?? 0)} rows`;
  if (state === 'interrupted') {
    const processedCount = (importedCount ?? 0) + (failed ?? 0);
    return `Interrupted when the server stopped, after at least ${formatNumber(processedCount)} ${ofTotal}`;
  }
  return `${state === 'cancelled' ? 'Cancelled' : 'Failed'}, ${formatNumber(importedCount ?? 0)} ${ofTotal} stored`;
}
