import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatTotal } from '../../engine/formats/numbers';
import { treeName } from '../../engine/conditions/tree';
import { pageSizeOf } from '../../engine/lists/list-state';
import { useRemembered } from '../preferences/useRemembered';
import { announce } from '../layout/announce';
import { ListBody } from './ListBody';
import { Pagination } from './Pagination';
import { ResourceListProvider, useResourceList, type ListParts } from './ResourceList';
import { useSettled } from './useSettled';
import { isUnpaged } from './views';
import { Toolbar } from './Toolbar';
import { ActionsContext, useActions } from '../actions/useActions';
import type { ListRecords } from './useRecords';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './list.module.css';
import * as toolbarStyles from './toolbar.module.css';
import { isGranted } from '../../engine/access/access-decision';
import { realUser } from '../../engine/access/actor';
import { useDefinitions } from '../data/DefinitionsContext';
import { isTreeClosed } from './tree/rememberedTree';
import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import { formatClockTime } from '../layout/formatClockTime';

const AppliedFilters = lazyComponent(
  () => import('./AppliedFilters').then((part) => ({ default: part.AppliedFilters })),
  ChipsSpace,
);
const QuickAdd = lazyComponent(() => import('./quick-add/QuickAdd'), QuickAddSpace);
const ChartsPanel = lazyComponent(() => import('./charts/ChartsPanel'));
const TreePane = lazyComponent(() => import('./tree/TreePane').then((part) => ({ default: part.TreePane })), TreeSpace);

interface ListFrameProps extends Omit<ListParts, 'charts'> {
  records: ListRecords;
  /** Its charts can be shown above it. */
  hasCharts?: boolean;
  /** Shown above the toolbar. */
  children?: ReactNode;
}

/** The common parts of all lists: toolbar, active filters, records, pages and dialogs of actions. */
export function ListFrame({ hasCharts = false, children, ...list }: ListFrameProps) {
  const { definition, records } = list;
  const actions = useActions(definition, records.data);
  const [isShown, show] = useRemembered(`assay.charts.${definition.name}`, false);
  return (
    <ActionsContext value={actions}>
      <ResourceListProvider {...list} charts={hasCharts ? { isShown, show } : undefined}>
        {children}
        <Frame />
        {actions.dialogs}
      </ResourceListProvider>
    </ActionsContext>
  );
}

function Frame() {
  const { definition, state, change, view, data, paged, charts, embedded, showsScope, setPage, ...list } =
    useResourceList();
  useCountAnnouncement(list, JSON.stringify([state.filters, state.q, state.tab]));

  const isSettled = useSettled(data !== undefined || list.error !== null);

  // The last record of the last page was deleted.
  const lastPage =
    paged === undefined || !Number.isInteger(paged) || list.isPlaceholderData || data?.length || state.page === 1
      ? undefined
      : Math.max(1, Math.min(state.page - 1, Math.ceil(paged / pageSizeOf(state))));
  useEffect(() => {
    if (lastPage !== undefined) change((current) => ({ ...current, page: lastPage }), { replace: true });
  }, [change, lastPage]);
  // Once shown they stay, as the last one may be removed while its values are open.
  const hasFilters = Object.keys(state.filters).length > 0 || showsScope === true;
  const [showsFilters, setShowsFilters] = useState(hasFilters);
  if (hasFilters && !showsFilters) setShowsFilters(true);
  return (
    <>
      <Toolbar />
      {showsFilters && <AppliedFilters />}
      {charts?.isShown && <ChartsPanel />}
      {list.oldSince !== undefined && <StaleListNote loadedAt={list.oldSince} onRetry={list.refetch} />}
      {definition.list.tree && !embedded ? (
        <div className={styles.listBeside}>
          {isSettled ? <TreePane /> : <TreeSpace />}
          <ListBody />
        </div>
      ) : (
        <ListBody />
      )}
      {definition.list.quickAdd && view === 'list' && (isSettled ? <QuickAdd /> : <QuickAddSpace />)}
      {!isUnpaged(view) && (
        <Pagination
          page={state.page}
          perPage={pageSizeOf(state)}
          shownCount={data?.length}
          total={paged}
          totalKey={list.totalKey}
          onPage={setPage}
        />
      )}
    </>
  );
}

type Count = Pick<ListRecords, 'total' | 'isReplacing'>;

/** Announces how many records a search, a filter or another tab has found. `query` is what they were searched by, as text. */
function useCountAnnouncement({ total, isReplacing }: Count, query: string): void {
  const announcedQuery = useRef(query);
  useEffect(() => {
    if (isReplacing || total === undefined || announcedQuery.current === query) return;
    announcedQuery.current = query;
    announce(total === 0 ? 'No records' : total === 1 ? '1 record' : `${formatTotal(total)} records`);
  }, [isReplacing, query, total]);
}

/** The space that the chips of filters take, until their code has loaded. */
function ChipsSpace() {
  return <div className={`${toolbarStyles.listApplied} ${toolbarStyles.listAppliedSpace}`} />;
}

/** The space that the line which adds records takes, until its code has loaded. */
function QuickAddSpace() {
  const { name } = useResourceList().definition;
  return isGranted(useDefinitions().actor, name, 'create') ? <div className={styles.quickAddSpace} /> : null;
}

/** The space that the tree beside a list takes, until its code has loaded. */
function TreeSpace() {
  const { definition, state } = useResourceList();
  const { name, fields, list } = definition;
  const { actor } = useDefinitions();
  const targetName = fields[list.tree?.[0] ?? '']?.to ?? '';
  if (!isGranted(actor, targetName, 'list')) return null;
  // A link to a branch shows where it leads.
  const isOpen = String(state.filters[treeName] ?? '') !== '';
  return (
    <div
      className={styles.treeSpace}
      data-closed={isTreeClosed(realUser(actor).id, name) ?? (isOpen ? false : undefined)}
    />
  );
}

interface StaleListNoteProps {
  /** When the list was loaded, in milliseconds since 1970. */
  loadedAt: number;
  onRetry: () => void;
}

/** Says that a list could not be refreshed, and how old its data is. */
function StaleListNote({ loadedAt, onRetry }: StaleListNoteProps) {
  return (
    <p className={styles.listOld} role="status">
      <Icon name="warning" size={16} />
      <span>This list was last updated at {formatClockTime(loadedAt)}. It could not be refreshed.</span>
      <Button size="small" variant="text" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
