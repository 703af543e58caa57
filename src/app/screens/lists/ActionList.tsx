import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useNotify } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import { perPage } from '../../../engine/lists/list-state';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { usePage } from '../../layout/page';
import { Pagination } from '../../list/Pagination';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { PlainGrid } from './PlainGrid';
import { TypedDialog } from './TypedDialog';
import { useRestoredFocus } from './useRestoredFocus';
import { fetchPage, usePolledPage } from './usePolledPage';
import * as styles from './lists.module.css';

/** An action on a row. `question` is asked first; with `word`, that text has to be typed to confirm. */
export interface RowAction {
  label: string;
  run: () => Promise<unknown>;
  title?: string;
  question?: string;
  confirmWord?: string;
  destructive?: boolean;
}

interface ActionListProps<Row> {
  title: string;
  path: string;
  emptyText: string;
  columns: GridColDef<Row & { id: number }>[];
  /** Width of the column of buttons in pixels; the default fits two. */
  actionsWidth?: number;
  /** Renders a row on narrow screens. */
  renderCard: (row: Row) => ReactNode;
  /** A short name of the row, for the accessible names of its buttons. */
  nameOf: (row: Row) => string;
  actionsOf: (row: Row) => RowAction[];
  /** Whether a row is still changing on the server: the list then reloads more often. */
  isChanging: (row: Row) => boolean;
}

const activeInterval = 3_000;
const idleInterval = 30_000;

/** A list of background work, newest first, with the actions on each row. */
export function ActionList<Row extends { id: number }>({
  title,
  path,
  emptyText,
  columns,
  actionsWidth = 180,
  renderCard,
  nameOf,
  actionsOf,
  isChanging,
}: ActionListProps<Row>) {
  const [query, setQuery] = useSearchParams();
  const number = Number(query.get('page') ?? 1);
  const page = Number.isInteger(number) && number > 0 ? number : 1;
  const [pendingAction, setPendingAction] = useState<RowAction>();
  const [isBusy, setBusy] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 1399px)');
  const notify = useNotify();
  const queryClient = useQueryClient();
  const { data, error, refetch } = usePolledPage({
    key: [path, 'list', page],
    fetchPage: (signal) => fetchPage<Row>(path, page, {}, signal),
    isChanging,
    activeInterval,
    idleInterval,
  });
  usePage({ title: data ? `${title} | Total Records: ${formatNumber(data.total)}` : title, flat: true });
  const focusProps = useRestoredFocus(data?.data, pendingAction !== undefined || isBusy);
  // The last row of the last page is gone: go to the page before.
  const last = data && Math.max(1, Math.ceil(data.total / perPage));
  useEffect(() => {
    if (last && page > last) setQuery(pageQuery(last), { replace: true });
  }, [last, page, setQuery]);
  const act = async ({ run }: RowAction) => {
    setBusy(true);
    await run().catch((failure: Error) =>
      notify(failure.message, { type: 'error', messageArgs: { _: failure.message } }),
    );
    await queryClient.invalidateQueries({ queryKey: [path] });
    setBusy(false);
    setPendingAction(undefined);
  };
  if (error && !data) {
    return (
      <FailedState title={`${title} could not be loaded`} message={error.message} onRetry={() => void refetch()} />
    );
  }
  const buttons = (row: Row) => (
    <span className={styles.actButtons}>
      {actionsOf(row).map((action) => (
        <Button
          key={action.label}
          size="small"
          variant="outlined"
          color={action.destructive ? 'error' : 'primary'}
          aria-disabled={isBusy}
          aria-label={`${action.label}: ${nameOf(row)}`}
          onClick={() => !isBusy && (action.question ? setPendingAction(action) : void act(action))}
        >
          {action.label}
        </Button>
      ))}
    </span>
  );
  const actions: GridColDef<Row & { id: number }> = {
    field: 'actions',
    headerName: 'Actions',
    width: actionsWidth,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => buttons(row),
  };
  return (
    <>
      <section {...focusProps} className={styles.actList} aria-label={title} tabIndex={-1}>
        <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto' }}>
          {(!data || (data.total > 0 && data.data.length === 0)) && <SkeletonRows />}
          {data?.total === 0 && <EmptyState sentence={emptyText} />}
          {data && data.data.length > 0 && isNarrow && (
            <ul className={styles.actCards} aria-label={title}>
              {data.data.map((row) => (
                <li key={row.id} data-id={row.id}>
                  {renderCard(row)}
                  {actionsOf(row).length > 0 && buttons(row)}
                </li>
              ))}
            </ul>
          )}
          {data && data.data.length > 0 && !isNarrow && (
            <PlainGrid label={title} rows={data.data} columns={[...columns, actions]} rowHeight={56} />
          )}
        </Box>
        {data && data.total > 0 && (
          <Pagination
            page={page}
            shownCount={data.data.length}
            total={data.total}
            onPage={(next) => setQuery(pageQuery(next))}
          />
        )}
      </section>
      {pendingAction?.confirmWord === undefined ? (
        <ConfirmDialog
          open={pendingAction !== undefined}
          question={pendingAction?.question ?? ''}
          confirmLabel={pendingAction?.label ?? ''}
          cancelLabel="Back"
          destructive={pendingAction?.destructive}
          isBusy={isBusy}
          onConfirm={() => pendingAction && void act(pendingAction)}
          onClose={() => setPendingAction(undefined)}
        />
      ) : (
        <TypedDialog
          title={pendingAction.title ?? pendingAction.label}
          text={pendingAction.question ?? ''}
          word={pendingAction.confirmWord}
          confirmLabel={pendingAction.label}
          isBusy={isBusy}
          onConfirm={() => void act(pendingAction)}
          onClose={() => setPendingAction(undefined)}
        />
      )}
    </>
  );
}

const pageQuery = (page: number): Record<string, string> => (page > 1 ? { page: String(page) } : {});
