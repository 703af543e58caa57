import type { Definition } from '../../engine/definitions/definition';
import type { ListState } from '../../engine/lists/list-state';
import type { ChangeList } from './useListState';

/** The list whose columns are chosen. */
export interface ColumnsProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
}
