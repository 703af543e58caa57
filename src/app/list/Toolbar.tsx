import { Level } from '../../engine/definitions/level';
import { requireValue } from '../../engine/values/lookups';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useDefinitions } from '../data/DefinitionsContext';
import { AddButton } from './AddButton';
import { DisplayButtons } from './display/DisplayButtons';
import { DownloadButton } from './export/DownloadButton';
import { FiltersButton } from './filters/FiltersButton';
import { SearchBox } from './SearchBox';
import SaveView from './saved-views/SaveView';
import { useResourceList } from './ResourceList';
import { lazyComponent } from '../states/lazyComponent';
import { viewChoices, type ViewChoice } from './views';
import * as styles from './toolbar.module.css';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import type { ListView } from '../../engine/lists/list-state';

const PublicFormButton = lazyComponent(() => import('./public-forms/PublicFormButton'));
const ChartsButton = lazyComponent(() => import('./charts/ChartsButton'));

const noViews: readonly ViewChoice[] = [];

/** Search, filters and views on the left; columns, display, download and Add on the right. */
export function Toolbar() {
  const { definition, inputs, isPhone, chooseView, charts, onSaveView } = useResourceList();
  const { list } = definition;
  const { actor } = useDefinitions();
  const tools = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(tools) || isPhone;
  const views = chooseView ? viewChoices(definition, isPhone) : [];
  return (
    <div ref={tools} className={styles.listTools} role="toolbar" aria-label={`${definition.labels.many} tools`}>
      {list.search && <SearchBox />}
      {inputs.length > 0 && <FiltersButton />}
      {onSaveView && !isPhone && <SaveView />}
      {!isNarrow && views.length > 0 && <ViewSwitch views={views} />}
      {charts && <ChartsButton />}
      <span className={styles.listGrow} />
      <DisplayButtons views={isNarrow ? views : noViews} isNarrow={isNarrow} />
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

/** The views of a list, side by side. `v` leads back to the one before, at first to the next. */
function ViewSwitch({ views }: { views: readonly ViewChoice[] }) {
  const { view, chooseView } = useResourceList();
  const previousView = useRef<ListView>(undefined);
  const choose = (chosenView: ListView) => {
    if (chosenView !== view) previousView.current = view;
    chooseView?.(chosenView);
  };
  const next = () =>
    previousView.current !== undefined && previousView.current !== view
      ? previousView.current
      : views[(views.findIndex((choice) => choice.view === view) + 1) % views.length]?.view;
  useCommands(() =>
    views
      .filter((choice) => choice.view !== view)
      .map(({ view: otherView, label, icon }) => ({
        ...{ id: `view ${otherView}`, label, icon },
        ...(otherView === next() && { keys: 'v' }),
        run: () => choose(otherView),
      })),
  );
  return (
    <span className={styles.listViews} role="group" aria-label="View">
      {views.map((choice) => (
        <button
          key={choice.view}
          type="button"
          title={choice.label}
          aria-pressed={view === choice.view}
          onClick={() => choose(choice.view)}
        >
          <Icon name={choice.icon} />
          <span className={styles.listLabel}>{choice.label}</span>
        </button>
      ))}
    </span>
  );
}
