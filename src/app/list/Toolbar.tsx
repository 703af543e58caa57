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
import { lazyComponent } from '../states/lazyComponent';
import type { ChangeList } from './useListState';
import { showsGroups, viewChoices } from './views';
import { ViewSwitch } from './ViewSwitch';
import * as styles from './list.module.css';

const GroupButton = lazyComponent(() => import('./groups/GroupButton').then((part) => ({ default: part.GroupButton })));

export interface ToolbarProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
  view: ListView;
  isPhone: boolean;
  /** Chooses a view; without it there is only one. */
  onView?: (view: ListView) => void;
  /** Whether the charts are shown. */
  charts?: boolean;
  /** Shows or hides the charts; without it there are none. */
  onCharts?: (shown: boolean) => void;
}

const ChartsButton = lazyComponent(() => import('./charts/ChartsButton'));

/** Search, filters and sorting on the left; views, download and Add on the right. */
export function Toolbar({ definition, state, change, inputs, view, isPhone, onView, charts, onCharts }: ToolbarProps) {
  const { list } = definition;
  const views = onView ? viewChoices(definition, isPhone) : [];
  const chooseView = onView ?? (() => {});
  return (
    <div className={styles.listTools} role="toolbar" aria-label={`${definition.labels.many} tools`}>
      {list.search && <SearchBox label={definition.labels.many} q={state.q} change={change} />}
      {inputs.length > 0 && <FiltersButton {...{ definition, state, change, inputs, isPhone }} />}
      {!isPhone && list.sortChoices.length > 0 && <SortButton {...{ definition, change }} sort={state.sort} />}
      {!isPhone && view === 'list' && list.chooseColumns && <ColumnsButton {...{ definition, state, change }} />}
      {!isPhone && showsGroups(view) && (state.group || list.group) && (
        <GroupButton {...{ definition, state, change }} />
      )}
      {onCharts && <ChartsButton {...{ definition, charts, onCharts }} />}
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
