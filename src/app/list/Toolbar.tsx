import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState, ListView } from '../../engine/lists/list-state';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useDefinitions } from '../admin/DefinitionsContext';
import { AddButton } from './AddButton';
import { ColumnsButton } from './ColumnsButton';
import { DownloadButton } from './export/DownloadButton';
import { FiltersButton } from './filters/FiltersButton';
import { ListOptions } from './ListOptions';
import { SearchBox } from './SearchBox';
import { SortButton } from './SortButton';
import { lazyComponent } from '../states/lazyComponent';
import type { ChangeList } from './useListState';
import { isSorted, showsGroups, viewChoices } from './views';
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

const PublicFormButton = lazyComponent(() => import('./public-forms/PublicFormButton'));
const ChartsButton = lazyComponent(() => import('./charts/ChartsButton'));

/** Search, filters and sorting on the left; views, download and Add on the right. */
export function Toolbar({ definition, state, change, inputs, view, isPhone, onView, charts, onCharts }: ToolbarProps) {
  const { list } = definition;
  const { actor } = useDefinitions();
  const tools = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(tools) || isPhone;
  const views = onView ? viewChoices(definition, isPhone) : [];
  const chooseView = onView ?? (() => {});
  return (
    <div ref={tools} className={styles.listTools} role="toolbar" aria-label={`${definition.labels.many} tools`}>
      {list.search && <SearchBox label={definition.labels.many} q={state.q} change={change} />}
      {inputs.length > 0 && <FiltersButton {...{ definition, state, change, inputs, isPhone }} />}
      {!isNarrow && isSorted(view) && list.sortChoices.length > 0 && (
        <SortButton {...{ definition, change }} sort={state.sort} />
      )}
      {!isNarrow && view === 'list' && list.chooseColumns && <ColumnsButton {...{ definition, state, change }} />}
      {!isNarrow && showsGroups(view) && (state.group || list.group) && (
        <GroupButton {...{ definition, state, change }} />
      )}
      {onCharts && <ChartsButton {...{ definition, charts, onCharts }} />}
      <span className={styles.listGrow} />
      {isNarrow ? (
        <ListOptions {...{ definition, state, change, view, views }} onView={chooseView} />
      ) : (
        views.length > 0 && <ViewSwitch {...{ views, view }} onView={chooseView} />
      )}
      {definition.public?.create && actor.level <= 2 && !actor.viewer && <PublicFormButton definition={definition} />}
      <DownloadButton {...{ definition, state }} short={isPhone} />
      <AddButton definition={definition} short={isPhone} />
    </div>
  );
}

/** Narrower than this, with a menu beside it, the tools of most lists take two rows. */
const narrow = 580;

/** Whether a toolbar has no place for all of its buttons, whatever the width of the window. */
function useIsNarrow(tools: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const measure = () => setNarrow((tools.current?.offsetWidth || narrow) < narrow);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(tools.current!);
    return () => observer.disconnect();
  }, [tools]);
  return isNarrow;
}
