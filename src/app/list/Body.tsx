import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState, View } from '../../engine/lists/list-state';
import { useDefinitions } from '../admin/DefinitionsContext';
import { FailedState } from '../states/FailedState';
import { SkeletonRows } from '../states/SkeletonRows';
import { Cards } from './cards/Cards';
import { EmptyList } from './EmptyList';
import { loadGrid } from './gridPart';
import { BoardSkeleton } from './kanban/BoardSkeleton';
import { useListPlace } from './ListPlace';
import type { ChangeList } from './useListState';
import type { Records } from './useRecords';
import { lazyPart, Meanwhile } from '../states/lazyPart';

const Board = lazyPart(() => import('./kanban/Board'));
const GridView = lazyPart(loadGrid);

export interface BodyProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
  view: View;
  records: Records;
  isPhone: boolean;
}

/** The records as grid, cards or board, or the reason why there are none. */
export function Body({ definition, state, change, inputs, view, records, isPhone }: BodyProps) {
  const { data, total, fetching, error, retry } = records;
  const { panel } = useListPlace();
  const { registry } = useDefinitions();
  if (error)
    return (
      <div className="list-body" {...panel}>
        <FailedState title={`${definition.labels.many} could not be loaded`} message={error.message} onRetry={retry} />
      </div>
    );
  if (data?.length === 0 && !fetching)
    return (
      <div className="list-body" data-view={view} {...panel}>
        <EmptyList {...{ definition, state, change, inputs }} />
      </div>
    );
  const { kanban } = definition.list;
  const board = kanban && definition.fields[kanban.column];
  return (
    <div className="list-body" data-view={view} {...panel}>
      {view === 'cards' ? (
        <Cards definition={definition} records={data} />
      ) : view === 'kanban' && kanban ? (
        <Meanwhile
          fallback={
            <BoardSkeleton
              {...{ kanban, isPhone }}
              target={board?.to ? registry.get(board.to) : undefined}
              chosen={state.filters[kanban.column]}
            />
          }
        >
          <Board {...{ definition, state }} kanban={kanban} isPhone={isPhone} />
        </Meanwhile>
      ) : (
        <Meanwhile fallback={<SkeletonRows rows={16} />}>
          <GridView {...{ definition, state, change, fetching }} records={data} total={total} />
        </Meanwhile>
      )}
    </div>
  );
}
