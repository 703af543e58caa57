import { Level } from '../../engine/definitions/level';
import { requireValue } from '../../engine/values/lookups';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useDefinitions } from '../data/DefinitionsContext';
import { AddButton } from './AddButton';
import { ColumnsButton } from './ColumnsButton';
import { DownloadButton } from './export/DownloadButton';
import { FiltersButton } from './filters/FiltersButton';
import { ListOptions } from './ListOptions';
import { SearchBox } from './SearchBox';
import { SortButton } from './SortButton';
import { useResourceList } from './ResourceList';
import { lazyComponent } from '../states/lazyComponent';
import { isSorted, showsGroups, viewChoices } from './views';
import { ViewSwitch } from './ViewSwitch';
import * as styles from './toolbar.module.css';

const GroupButton = lazyComponent(() => import('./groups/GroupButton').then((part) => ({ default: part.GroupButton })));

const PublicFormButton = lazyComponent(() => import('./public-forms/PublicFormButton'));
const ChartsButton = lazyComponent(() => import('./charts/ChartsButton'));

/** Search, filters and sorting on the left; views, download and Add on the right. */
export function Toolbar() {
  const { definition, state, inputs, view, isPhone, chooseView, charts } = useResourceList();
  const { list } = definition;
  const { actor } = useDefinitions();
  const tools = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(tools) || isPhone;
  const views = chooseView ? viewChoices(definition, isPhone) : [];
  return (
    <div ref={tools} className={styles.listTools} role="toolbar" aria-label={`${definition.labels.many} tools`}>
      {list.search && <SearchBox />}
      {inputs.length > 0 && <FiltersButton />}
      {!isNarrow && isSorted(view) && list.sortChoices.length > 0 && <SortButton />}
      {!isNarrow && view === 'list' && list.chooseColumns && <ColumnsButton />}
      {!isNarrow && showsGroups(view) && (state.group || list.group) && <GroupButton />}
      {charts && <ChartsButton />}
      <span className={styles.listGrow} />
      {isNarrow ? <ListOptions views={views} /> : views.length > 0 && <ViewSwitch views={views} />}
      {definition.public?.create && actor.level <= Level.Owner && !actor.viewer && (
        <PublicFormButton definition={definition} />
      )}
      <DownloadButton />
      <AddButton definition={definition} short={isPhone} />
    </div>
  );
}

/** Narrower than this, with a menu beside it, the tools of most lists take two rows. */
const narrowWidth = 580;

/** Whether a toolbar has no place for all of its buttons, whatever the width of the window. */
function useIsNarrow(tools: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const measure = () => setNarrow((tools.current?.offsetWidth || narrowWidth) < narrowWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(requireValue(tools.current, 'the buttons of the toolbar'));
    return () => observer.disconnect();
  }, [tools]);
  return isNarrow;
}
