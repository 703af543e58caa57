import { FailedState } from '../states/FailedState';
import { SkeletonRows } from '../states/SkeletonRows';
import { loadCards, loadGrid } from './loadRecords';
import { useResourceList } from './ResourceList';
import { isEmptyList } from './useRecords';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import { showsGroups } from './views';
import * as styles from './list.module.css';
import type { Definition } from '../../engine/definitions/definition';
import { cardOrDefault } from '../../engine/lists/cards';
import { perPage } from '../../engine/lists/list-state';
import * as statesStyles from '../states/states.module.css';
import * as cardStyles from './cards/cards.module.css';

const EmptyList = lazyComponent(() => import('./EmptyList').then((module) => ({ default: module.EmptyList })));

const Board = lazyComponent(() => import('./kanban/Board'));
const Cards = lazyComponent(loadCards);
const GridView = lazyComponent(loadGrid);
const GroupedList = lazyComponent(() => import('./groups/GroupedList').then((part) => ({ default: part.GroupedList })));
const OtherView = lazyComponent(() => import('./OtherView'));

/** The records as the chosen view shows them, or the reason why there are none. */
export function ListBody() {
  const list = useResourceList();
  const { definition, state, view, panel, data, error, grouping } = list;
  if (error)
    return (
      <div className={styles.listBody} {...panel}>
        <FailedState
          title={`${definition.labels.many} could not be loaded`}
          message={error.message}
          onRetry={list.refetch}
        />
      </div>
    );
  const { totals = definition.list.totals ?? {} } = state;
  const isGrouped = grouping !== undefined || Object.keys(totals).length > 0;
  if (isEmptyList(list, state))
    return (
      <div className={styles.listBody} data-view={view} {...panel}>
        <EmptyList />
      </div>
    );
  const { kanban } = definition.list;
  return (
    <div className={styles.listBody} data-view={view} {...panel}>
      {isGrouped && showsGroups(view) ? (
        <LoadingFallback fallback={<SkeletonRows hasHead />}>
          <GroupedList />
        </LoadingFallback>
      ) : view === 'cards' ? (
        <LoadingFallback fallback={<CardsSkeleton {...{ definition }} />}>
          {data ? <Cards /> : <CardsSkeleton {...{ definition }} />}
        </LoadingFallback>
      ) : view === 'kanban' && kanban ? (
        <LoadingFallback fallback={<SkeletonRows hasHead />}>
          <Board kanban={kanban} />
        </LoadingFallback>
      ) : view !== 'list' ? (
        <LoadingFallback fallback={<SkeletonRows hasHead />}>
          <OtherView />
        </LoadingFallback>
      ) : (
        <LoadingFallback fallback={<SkeletonRows hasHead />}>
          <GridView />
        </LoadingFallback>
      )}
    </div>
  );
}

/** The skeleton of a page of cards, in their final geometry. */
function CardsSkeleton({ definition }: { definition: Definition }) {
  const { lines } = cardOrDefault(definition);
  return (
    <div className={cardStyles.cards} role="status">
      <span className="unseen">Loading…</span>
      {Array.from({ length: perPage }, (_, index) => (
        <div key={index} className={cardStyles.recordCard} aria-hidden="true">
          <div className={cardStyles.cardTop}>
            <span className={statesStyles.skeleton} style={{ width: 36, height: 36, borderRadius: 'var(--r)' }} />
            <span className={cardStyles.cardName}>
              <span className={statesStyles.skeleton} style={{ width: '70%', marginTop: 5 }} />
            </span>
          </div>
          {lines.map(({ field }) => (
            <span key={field} className={statesStyles.skeleton} style={{ width: '60%' }} />
          ))}
        </div>
      ))}
    </div>
  );
}
