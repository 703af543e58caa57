import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState, ListView } from '../../engine/lists/list-state';
import { AddButton } from './AddButton';
import { ColumnsButton } from './ColumnsButton';
import { DownloadButton } from './export/DownloadButton';
import { FiltersButton } from './filters/FiltersButton';
import { ListOptions } from './ListOptions';
import { SearchBox } from './SearchBox';
import { SortButton } from './SortButton';
import type { ChangeList } from './useListState';
import { viewChoices } from './views';
import { ViewSwitch } from './ViewSwitch';
import * as styles from './list.module.css';

export interface ToolbarProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
  view: ListView;
  isPhone: boolean;
  /** Chooses a view; without it there is only one. */
  onView?: (view: ListView) => void;
}

/** Search, filters and sorting on the left; views, download and Add on the right. */
export function Toolbar({ definition, state, change, inputs, view, isPhone, onView }: ToolbarProps) {
  const { list } = definition;
  const views = onView ? viewChoices(definition, isPhone) : [];
  const chooseView = onView ?? (() => {});
  return (
    <div className={styles.listTools} role="toolbar" aria-label={`${definition.labels.many} tools`}>
      {list.search && <SearchBox label={definition.labels.many} q={state.q} change={change} />}
      {inputs.length > 0 && <FiltersButton {...{ definition, state, change, inputs, isPhone }} />}
      {!isPhone && list.sortChoices.length > 0 && <SortButton {...{ definition, change }} sort={state.sort} />}
      {!isPhone && view === 'list' && list.chooseColumns && <ColumnsButton {...{ definition, state, change }} />}
      <span className={styles.listGrow} />
      {isPhone ? (
        <ListOptions {...{ definition, state, change, view, views }} onView={chooseView} />
      ) : (
        views.length > 0 && <ViewSwitch {...{ views, view }} onView={chooseView} />
      )}
      <DownloadButton {...{ definition, state }} short={isPhone} />
      <AddButton definition={definition} short={isPhone} />
    </div>
  );
}
