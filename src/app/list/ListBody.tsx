import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState, ListView } from '../../engine/lists/list-state';
import { useDefinitions } from '../admin/DefinitionsContext';
import { FailedState } from '../states/FailedState';
import { SkeletonRows } from '../states/SkeletonRows';
import { CardsSkeleton } from './cards/CardsSkeleton';
import { loadCards, loadGrid } from './loadRecords';
import { BoardSkeleton } from './kanban/BoardSkeleton';
import { useListScope } from './ListScope';
import type { ChangeList } from './useListState';
import type { ListRecords } from './useRecords';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import { showsGroups } from './views';
import * as styles from './list.module.css';

const EmptyList = lazyComponent(() => import('./EmptyList').then((module) => ({ default: module.EmptyList })));

const Board = lazyComponent(() => import('./kanban/Board'));
const Cards = lazyComponent(loadCards);
const GridView = lazyComponent(loadGrid);
const GroupedList = lazyComponent(() => import('./groups/GroupedList').then((part) => ({ default: part.GroupedList })));
const OtherView = lazyComponent(() => import('./OtherView'));

export interface ListBodyProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
  view: ListView;
  records: ListRecords;
  isPhone: boolean;
}

/** The records as the chosen view shows them, or the reason why there are none. */
export function ListBody({ definition, state, change, inputs, view, records, isPhone }: ListBodyProps) {
  const { data, total, fetching, error, retry, grouping } = records;
  const { panel } = useListScope();
  const { registry } = useDefinitions();
  if (error)
    return (
      <div className={styles.listBody} {...panel}>
        <FailedState title={`${definition.labels.many} could not be loaded`} message={error.message} onRetry={retry} />
      </div>
    );
  const { totals = definition.list.totals ?? {} } = state;
  const isGrouped = grouping !== undefined || Object.keys(totals).length > 0;
  if (data?.length === 0 && !fetching && !(grouping && state.closed))
    return (
      <div className={styles.listBody} data-view={view} {...panel}>
        <EmptyList {...{ definition, state, change, inputs }} />
      </div>
    );
  const { kanban } = definition.list;
  const board = kanban && definition.fields[kanban.column];
  return (
    <div className={styles.listBody} data-view={view} {...panel}>
      {isGrouped && showsGroups(view) ? (
        <LoadingFallback fallback={<SkeletonRows rows={16} />}>
          <GroupedList {...{ definition, state, change, inputs, view, records }} />
        </LoadingFallback>
      ) : view === 'cards' ? (
        <LoadingFallback fallback={<CardsSkeleton {...{ definition }} />}>
          {data ? <Cards {...{ definition, state, total }} records={data} /> : <CardsSkeleton {...{ definition }} />}
        </LoadingFallback>
      ) : view === 'kanban' && kanban ? (
        <LoadingFallback
          fallback={
            <BoardSkeleton
              {...{ kanban, isPhone }}
              target={board?.to ? registry.get(board.to) : undefined}
              chosen={state.filters[kanban.column]}
            />
          }
        >
          <Board {...{ definition, state }} kanban={kanban} isPhone={isPhone} />
        </LoadingFallback>
      ) : view !== 'list' ? (
        <LoadingFallback fallback={<SkeletonRows rows={16} />}>
          <OtherView {...{ definition, state, change, view, total, isPhone }} records={data} />
        </LoadingFallback>
      ) : (
        <LoadingFallback fallback={<SkeletonRows rows={16} />}>
          <GridView {...{ definition, state, change, fetching }} records={data} total={total} />
        </LoadingFallback>
      )}
    </div>
  );
}
