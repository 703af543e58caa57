import { useEffect, useRef, type ReactNode } from 'react';
import { formatNumber } from '../../engine/formats/numbers';
import { perPage, type ListView } from '../../engine/lists/list-state';
import { useRemembered } from '../preferences/useRemembered';
import { announce } from '../layout/announce';
import { AppliedFilters } from './AppliedFilters';
import { ListBody, type ListBodyProps } from './ListBody';
import { Pagination } from './Pagination';
import { ListScopeContext, type ListScope } from './ListScope';
import { TreeSpace } from './tree/TreeSpace';
import { isUnpaged } from './views';
import { StaleListNote } from './StaleListNote';
import { Toolbar } from './Toolbar';
import { ActionsContext, useActions } from './useActions';
import type { ListRecords } from './useRecords';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './list.module.css';

const ChartsPanel = lazyComponent(() => import('./charts/ChartsPanel'));
const TreePane = lazyComponent(() => import('./tree/TreePane').then((part) => ({ default: part.TreePane })), TreeSpace);

interface ListFrameProps extends ListBodyProps {
  place: ListScope;
  onView?: (view: ListView) => void;
  /** Shown above the toolbar. */
  children?: ReactNode;
}

/** The common parts of all lists: toolbar, active filters, records, pages and dialogs of actions. */
export function ListFrame({ place, records, onView, children, ...parts }: ListFrameProps) {
  const { definition, state, change, inputs, view } = parts;
  const { paged: total, data } = records;
  const actions = useActions(definition, data);
  const [charts, showCharts] = useRemembered(`assay.charts.${definition.name}`, false);
  useCountAnnouncement(records, JSON.stringify([state.filters, state.q, state.tab]));

  // The last record of the last page was deleted.
  const lastPage = total === undefined || records.isPrevious ? undefined : Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (lastPage !== undefined && state.page > lastPage)
      change((old) => ({ ...old, page: lastPage }), { replace: true });
  }, [change, lastPage, state.page]);
  return (
    <ActionsContext value={actions}>
      <ListScopeContext value={place}>
        {children}
        <Toolbar {...parts} {...{ onView, charts }} onCharts={place.charts ? showCharts : undefined} />
        <AppliedFilters {...{ definition, state, change, inputs }} rows={data ?? []} />
        {charts && place.charts && <ChartsPanel {...{ definition, state }} />}
        {records.oldSince !== undefined && <StaleListNote since={records.oldSince} onRetry={records.retry} />}
        {definition.list.tree && !place.embedded ? (
          <div className={styles.listBeside}>
            <TreePane {...{ definition, state, change }} />
            <ListBody {...parts} records={records} />
          </div>
        ) : (
          <ListBody {...parts} records={records} />
        )}
        {!isUnpaged(view) && (
          <Pagination
            page={state.page}
            shown={data?.length}
            total={total}
            onPage={(page) => change((old) => ({ ...old, page }))}
          />
        )}
        {actions.dialogs}
      </ListScopeContext>
    </ActionsContext>
  );
}

/** Announces how many records a search, a filter or another tab has found. `among` is what they were searched by, as text. */
function useCountAnnouncement({ total, fetching }: ListRecords, among: string): void {
  const counted = useRef(among);
  useEffect(() => {
    if (fetching || total === undefined || counted.current === among) return;
    counted.current = among;
    announce(total === 0 ? 'No records' : total === 1 ? '1 record' : `${formatNumber(total)} records`);
  }, [among, fetching, total]);
}
