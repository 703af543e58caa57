import { lazy, Suspense } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState } from '../../engine/lists/list-state';
import { FailedState } from '../states/FailedState';
import { SkeletonRows } from '../states/SkeletonRows';
import { Cards } from './cards/Cards';
import { EmptyList } from './EmptyList';
import type { ChangeList } from './useListState';
import type { Records } from './useRecords';

const GridView = lazy(() => import('./grid/GridView').then((room) => ({ default: room.GridView })));

export interface BodyProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
  view: 'list' | 'cards';
  records: Records;
}

/** The records as a grid or as cards, or why there are none. */
export function Body({ definition, state, change, inputs, view, records }: BodyProps) {
  const { data, total, fetching, error, retry } = records;
  if (error)
    return (
      <div className="list-body">
        <FailedState title={`${definition.labels.many} could not be loaded`} message={error.message} onRetry={retry} />
      </div>
    );
  if (data?.length === 0 && !fetching)
    return (
      <div className="list-body" data-view={view}>
        <EmptyList {...{ definition, state, change, inputs }} />
      </div>
    );
  return (
    <div className="list-body" data-view={view}>
      {view === 'cards' ? (
        <Cards definition={definition} records={data} />
      ) : (
        <Suspense fallback={<SkeletonRows rows={16} />}>
          <GridView {...{ definition, state, change, fetching }} records={data} total={total} />
        </Suspense>
      )}
    </div>
  );
}
