import { Level } from '../../engine/definitions/level';
import { requireValue } from '../../engine/values/lookups';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useDefinitions } from '../data/DefinitionsContext';
import { AddButton } from './AddButton';
import { DownloadButton } from './export/DownloadButton';
import { FiltersButton } from './filters/FiltersButton';
import { ListOptions } from './ListOptions';
import { SearchBox } from './SearchBox';
import { SortButton } from './SortButton';
import { useResourceList } from './ResourceList';
import { lazyComponent } from '../states/lazyComponent';
import { isSorted, showsGroups, viewChoices, type ViewChoice } from './views';
import * as styles from './toolbar.module.css';
import Button from '@mui/material/Button';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import { ColumnsPopover } from './ColumnsPopover';
import type { ListView } from '../../engine/lists/list-state';

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

/** Opens the chooser of columns. */
function ColumnsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCommands(() => [
    {
      ...{ id: 'columns', label: 'Choose columns', icon: 'columns', keys: 'c', opensInput: true },
      run: () => setAnchor(button.current),
    },
  ]);
  return (
    <>
      <Button
        ref={button}
        variant="outlined"
        title="Columns"
        startIcon={<Icon name="columns" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={styles.listLabel}>Columns</span>
      </Button>
      <ColumnsPopover anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
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
