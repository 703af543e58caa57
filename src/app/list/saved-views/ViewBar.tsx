import Alert from '@mui/material/Alert';
import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Definition, ListTab } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { formatTotal } from '../../../engine/formats/numbers';
import type { ListState, ListView } from '../../../engine/lists/list-state';
import { changedFilters, changesOfView, openView, viewSettingsOf } from '../../../engine/lists/saved-views';
import { activeTab, filterWithFixed, visibleTabs } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { TabBar } from '../../layout/TabBar';
import { useScopedFilter } from '../../preferences/listScope';
import { useResourceList } from '../ResourceList';
import { noFixedFilter } from '../useRecords';
import { tabsId } from '../tabs/ListTabs';
import type { ChangeList } from '../useListState';
import { useTotal } from '../useTotal';
import { useViewChanges, type BarView } from './useViewChanges';
import type { SavedView } from './useSavedViews';
import { ViewDialog } from './ViewDialog';
import { MoreViewsMenu, ViewMenu } from './ViewMenu';
import * as styles from './saved-views.module.css';
import type { IconName } from '../../icons/icons';

interface ViewBarProps {
  /** The chosen tab of the definition. */
  tab: ListTab | undefined;
  views: readonly SavedView[] | undefined;
  first: string | undefined;
  /** The key of the view that the user chose to open first. */
  chosenFirst: string | undefined;
  /** The layout that a view of the list keeps. */
  view: ListView;
  maySave: boolean;
  /** A new view is being saved. */
  saving: boolean;
  onSaving: (saving: boolean) => void;
  /** Takes the names of filters that are not as the view has them. */
  onUnsaved: (names: readonly string[]) => void;
}

const allKey = 'all';
const prefix = 'view-';

/** The tabs of the definition, its views and those that people saved, with what can be done with the one that is open. */
export function ViewBar(props: ViewBarProps) {
  const { tab, views, first, chosenFirst, view, maySave, saving, onSaving, onUnsaved } = props;
  const { definition, state, change, total } = useResourceList();
  const { actor } = useDefinitions();
  /** As it was when its dialog was opened. */
  const [editedView, setEditedView] = useState<SavedView>();
  const [menu, setMenu] = useState<{ kind: 'view' | 'more'; anchor: HTMLElement } | null>(null);
  const barViews = useBarViews(definition, views);
  const isOpen = state.saved !== undefined && state.saved !== allKey;
  const open = isOpen ? barViews.find(({ key }) => key === state.saved) : undefined;
  const lastOpen = useLastOpen(open);
  const openedView = useMemo(
    () => open && openView(open.key, open.settings, definition, actor),
    [actor, definition, open],
  );
  const changes = openedView ? changesOfView(state, openedView.state) : [];
  const unsaved = openedView ? changedFilters(state, openedView.state).join() : '';
  useEffect(() => onUnsaved(unsaved === '' ? [] : unsaved.split(',')), [onUnsaved, unsaved]);

  const openOne = ({ key, settings }: BarView) => change(() => openView(key, settings, definition, actor).state);
  const leave = (name: string | null) =>
    change((current) => {
      const { saved: _, columns: __, ...rest } = current;
      // Between tabs the filters stay; those of a view go with it.
      if (!isOpen) return { ...rest, tab: name, page: 1 };
      const baseState = { filters: {}, q: '', sort: definition.list.sort, page: 1, view: null, tab: name };
      return first === undefined ? baseState : { ...baseState, saved: allKey };
    });
  /** Of a view that there is no more. */
  const keepFilters = () =>
    change(({ saved: _, columns: __, ...rest }) => (first === undefined ? rest : { ...rest, saved: allKey }), {
      replace: true,
    });
  const settings = { ...viewSettingsOf(state), view: state.view ?? view };
  const viewChanges = useViewChanges({
    definition,
    settings,
    openOne,
    leave: () => leave(null),
    chosenKey: chosenFirst,
  });

  const tabs = tab ? visibleTabs(definition, tab) : [];
  const chosenTab = isOpen ? prefix + state.saved : (tab?.name ?? allKey);
  const pinnedViews = barViews.filter(({ key, record }) => record?.pinned !== false || key === state.saved);
  const choose = (name: string) => {
    const chosenView = pinnedViews.find(({ key }) => prefix + key === name);
    if (chosenView) openOne(chosenView);
    else leave(name === allKey || name === tabs[0]?.name ? null : name);
  };
  const isChanged = changes.length > 0;
  const endDialog = () => {
    setEditedView(undefined);
    onSaving(false);
  };
  const openRecord = open?.record;
  useFollowed(openedView?.state, state, openRecord !== undefined && !viewChanges.isOwn(openRecord), change);
  useViewCommands(open, isChanged, viewChanges);
  return (
    <>
      <div className={styles.viewBar}>
        <TabBar
          id={tabsId}
          label={`Views of ${definition.labels.many}`}
          className={styles.viewTabs}
          tabs={[
            ...tabs.map((listTab) => ({
              name: listTab.name,
              label: (
                <TabLabel
                  {...{ definition, state: isOpen ? noState : state }}
                  tab={listTab}
                  knownCount={chosenTab === listTab.name ? total : undefined}
                />
              ),
            })),
            ...(tab ? [] : [{ name: allKey, label: 'All' }]),
            ...pinnedViews.map((barView) => ({
              name: prefix + barView.key,
              label: (
                <ViewLabel
                  {...{ definition, barView }}
                  knownCount={barView === open ? total : undefined}
                  isChanged={barView === open && isChanged}
                />
              ),
            })),
          ]}
          chosenTab={open || !isOpen ? chosenTab : (tab?.name ?? allKey)}
          onChoose={choose}
        />
        {open && (
          <ViewButton
            label={`Actions of view ${open.label}`}
            icon="chevron-down"
            isOpen={menu?.kind === 'view'}
            onOpen={(anchor) => setMenu({ kind: 'view', anchor })}
          />
        )}
        {(maySave || pinnedViews.length < barViews.length) && (
          <ViewButton
            label="Save or choose a view"
            icon="plus"
            isOpen={menu?.kind === 'more'}
            onOpen={(anchor) => setMenu({ kind: 'more', anchor })}
          />
        )}
      </div>
      {isOpen && views && !open && (
        <LostViewNote
          label={lastOpen?.key === state.saved ? lastOpen?.label : undefined}
          onClose={() => (lastOpen?.key === state.saved ? keepFilters() : leave(state.tab))}
        />
      )}
      {openedView && openedView.missing.length > 0 && <MissingPartsNote names={openedView.missing} />}
      {menu?.kind === 'view' && open && (
        <ViewMenu
          {...{ open, changes, viewChanges }}
          chosenKey={chosenFirst}
          anchor={menu.anchor}
          onReset={() => openOne(open)}
          onEdit={() => setEditedView(open.record)}
          onNew={maySave ? () => onSaving(true) : undefined}
          onClose={() => setMenu(null)}
        />
      )}
      {menu?.kind === 'more' && (
        <MoreViewsMenu
          views={barViews.filter((barView) => !pinnedViews.includes(barView))}
          anchor={menu.anchor}
          onOpen={openOne}
          onNew={maySave ? () => onSaving(true) : undefined}
          onClose={() => setMenu(null)}
        />
      )}
      {(saving || editedView) && (
        <ViewDialog
          {...{ definition, settings }}
          record={editedView}
          onSaved={(record) => {
            endDialog();
            if (saving) openOne({ key: String(record.id), label: record.name, settings: record.settings, record });
          }}
          onClose={endDialog}
        />
      )}
    </>
  );
}

/** The views of the definition, and those that people saved. */
function useBarViews(definition: Definition, views: readonly SavedView[] | undefined): readonly BarView[] {
  return useMemo(
    () => [
      ...definition.list.saved.map(({ name, label, settings }) => ({ key: name, label, settings })),
      ...(views ?? []).map((record) => ({
        ...{ key: String(record.id), label: record.name, record },
        settings: record.settings,
      })),
    ],
    [definition, views],
  );
}

/** The commands of the open view: to store its changes, and to copy its link. */
function useViewCommands(
  view: BarView | undefined,
  isChanged: boolean,
  { mayEdit, update, copyLink }: ReturnType<typeof useViewChanges>,
): void {
  useCommands(() => {
    if (!view) return [];
    const { label, record } = view;
    const copy = { id: 'copy-view', label: `Copy link to view ${label}`, icon: 'link', run: () => copyLink(view) };
    if (!record || !isChanged || !mayEdit(record)) return [copy];
    const run = () => update(record);
    return [{ id: 'update-view', label: `Update view ${label}`, icon: 'check', keys: 'Ctrl+S', run }, copy];
  });
}

interface ViewButtonProps {
  label: string;
  icon: IconName;
  isOpen: boolean;
  onOpen: (anchor: HTMLElement) => void;
}

/** A button that opens a menu about views. */
function ViewButton({ label, icon, isOpen, onOpen }: ViewButtonProps) {
  return (
    <IconButton
      size="small"
      className={styles.viewButton}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      <Icon name={icon} />
    </IconButton>
  );
}

/** Says that the view of the address is not there any more; its name is known where it was open in this window. */
function LostViewNote({ label, onClose }: { label: string | undefined; onClose: () => void }) {
  return (
    <Alert severity="info" className={styles.viewNote} onClose={onClose}>
      {label === undefined
        ? 'This view was deleted, or is not shared with you. The list is shown without it.'
        : `The view “${label}” was deleted, or is no longer shared with you. The list keeps its filters.`}
    </Alert>
  );
}

/** Says which parts of a view the list cannot have. */
function MissingPartsNote({ names }: { names: readonly string[] }) {
  return (
    <Alert severity="info" className={styles.viewNote}>
      Opened without {names.join(', ')}: {names.length === 1 ? 'it was' : 'they were'} removed, or you may not see{' '}
      {names.length === 1 ? 'it' : 'them'}.
    </Alert>
  );
}

/** The view that was open last in this window, also after it was deleted or is no longer shared. */
function useLastOpen(open: BarView | undefined): BarView | undefined {
  const [last, setLast] = useState(open);
  if (open && open !== last) setLast(open);
  return last;
}

/**
 * Keeps a list as its view has it when the view was changed elsewhere, unless the list itself was changed. A view
 * that this window stored (`isElsewhere` false) leaves the list as it is.
 */
function useFollowed(
  savedState: ListState | undefined,
  state: ListState,
  isElsewhere: boolean,
  change: ChangeList,
): void {
  const previousState = useRef(savedState);
  const follow = useEffectEvent((knownState: ListState, next: ListState) => {
    const isUnchanged = knownState.saved === next.saved && changesOfView(state, knownState).length === 0;
    if (isElsewhere && isUnchanged && changesOfView(state, next).length > 0)
      change(({ q }) => ({ ...next, q }), { replace: true });
  });
  useEffect(() => {
    if (previousState.current && savedState) follow(previousState.current, savedState);
    previousState.current = savedState;
  }, [savedState]);
}

const noState: Pick<ListState, 'filters' | 'q'> = { filters: {}, q: '' };

interface TabLabelProps {
  definition: Definition;
  state: Pick<ListState, 'filters' | 'q'>;
  tab: ListTab;
  knownCount: number | undefined;
}

function TabLabel({ definition, state, tab, knownCount }: TabLabelProps) {
  const fixedFilter = useScopedFilter(definition, state, tab.filter);
  const loadedTotal = useTotal(definition.name, filterWithFixed(state, fixedFilter), knownCount === undefined);
  return <span className="num">{fillTemplate(tab.label, { total: numberOf(knownCount ?? loadedTotal) })}</span>;
}

interface ViewLabelProps {
  definition: Definition;
  barView: BarView;
  /** The total, if the list itself has it. */
  knownCount: number | undefined;
  isChanged: boolean;
}

function ViewLabel({ definition, barView, knownCount, isChanged }: ViewLabelProps) {
  const { actor } = useDefinitions();
  const { state } = useMemo(
    () => openView(barView.key, barView.settings, definition, actor),
    [actor, definition, barView],
  );
  const fixedFilter = useScopedFilter(definition, state, activeTab(definition, state)?.filter ?? noFixedFilter);
  const loadedTotal = useTotal(definition.name, filterWithFixed(state, fixedFilter), knownCount === undefined);
  return (
    <span className={styles.viewLabel}>
      <span className={styles.viewName}>{barView.label}</span>
      <span className={`${styles.viewCount} num`}>{numberOf(knownCount ?? loadedTotal)}</span>
      {isChanged && <i className={styles.viewChanged} title="Changed since it was saved" />}
      {isChanged && <span className="unseen">, changed since it was saved</span>}
    </span>
  );
}

const numberOf = (total: number | undefined) => (total === undefined ? '…' : formatTotal(total));
