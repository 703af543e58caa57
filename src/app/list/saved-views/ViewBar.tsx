import Alert from '@mui/material/Alert';
import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Definition, ListTab } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { formatNumber } from '../../../engine/formats/numbers';
import type { ListState, ListView } from '../../../engine/lists/list-state';
import { changedFilters, changesOfView, openView, viewSettingsOf } from '../../../engine/lists/saved-views';
import { filterWithFixed, visibleTabs } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { TabBar } from '../../layout/TabBar';
import { useResourceList } from '../ResourceList';
import { noFixedFilter } from '../useRecords';
import { tabsId } from '../tabs/ListTabs';
import type { ChangeList } from '../useListState';
import { useTotal } from '../useTotal';
import type { BarView } from './barView';
import type { SavedView } from './useSavedViews';
import { useViewChanges } from './useViewChanges';
import { ViewDialog } from './ViewDialog';
import { MoreViewsMenu, ViewMenu } from './ViewMenu';
import * as styles from './saved-views.module.css';

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

const all = 'all';
const prefix = 'view-';

/** The tabs of the definition, its views and those that people saved, with what can be done with the one that is open. */
export function ViewBar(props: ViewBarProps) {
  const { tab, views, first, chosenFirst, view, maySave, saving, onSaving, onUnsaved } = props;
  const { definition, state, change, total } = useResourceList();
  const { actor } = useDefinitions();
  /** As it was when its dialog was opened. */
  const [edited, setEdited] = useState<SavedView>();
  const [menu, setMenu] = useState<{ kind: 'view' | 'more'; anchor: HTMLElement } | null>(null);
  const shown = useMemo<readonly BarView[]>(
    () => [
      ...definition.list.saved.map(({ name, label, settings }) => ({ key: name, label, settings })),
      ...(views ?? []).map((record) => ({
        ...{ key: String(record.id), label: record.name, record },
        settings: record.settings,
      })),
    ],
    [definition, views],
  );
  const isOpen = state.saved !== undefined && state.saved !== all;
  const open = isOpen ? shown.find(({ key }) => key === state.saved) : undefined;
  const lastOpen = useLastOpen(open);
  const opened = useMemo(() => open && openView(open.key, open.settings, definition, actor), [actor, definition, open]);
  const changes = opened ? changesOfView(state, opened.state) : [];
  const unsaved = opened ? changedFilters(state, opened.state).join() : '';
  useEffect(() => onUnsaved(unsaved === '' ? [] : unsaved.split(',')), [onUnsaved, unsaved]);

  const openOne = ({ key, settings }: BarView) => change(() => openView(key, settings, definition, actor).state);
  const leave = (name: string | null) =>
    change((old) => {
      const { saved: _, columns: __, ...rest } = old;
      // Between tabs the filters stay; those of a view go with it.
      if (!isOpen) return { ...rest, tab: name, page: 1 };
      const plain = { filters: {}, q: '', sort: definition.list.sort, page: 1, view: null, tab: name };
      return first === undefined ? plain : { ...plain, saved: all };
    });
  /** Of a view that there is no more. */
  const keepFilters = () =>
    change(({ saved: _, columns: __, ...rest }) => (first === undefined ? rest : { ...rest, saved: all }), {
      replace: true,
    });
  const settings = { ...viewSettingsOf(state), view: state.view ?? view };
  const does = useViewChanges({ definition, settings, openOne, leave: () => leave(null), chosen: chosenFirst });

  const tabs = tab ? visibleTabs(definition, tab) : [];
  const chosen = isOpen ? prefix + state.saved : (tab?.name ?? all);
  const pinned = shown.filter(({ key, record }) => record?.pinned !== false || key === state.saved);
  const choose = (name: string) => {
    const wanted = pinned.find(({ key }) => prefix + key === name);
    if (wanted) openOne(wanted);
    else leave(name === all || name === tabs[0]?.name ? null : name);
  };
  const isChanged = changes.length > 0;
  const endDialog = () => {
    setEdited(undefined);
    onSaving(false);
  };
  useFollowed(opened?.state, state, open?.record !== undefined && !does.isOwn(open.record), change);
  useCommands(() => [
    ...(open?.record && isChanged && does.mayEdit(open.record)
      ? [
          {
            id: 'update-view',
            label: `Update view ${open.label}`,
            icon: 'check',
            keys: 'Ctrl+S',
            run: () => does.update(open.record!),
          },
        ]
      : []),
    ...(open
      ? [{ id: 'copy-view', label: `Copy link to view ${open.label}`, icon: 'link', run: () => does.copyLink(open) }]
      : []),
  ]);
  return (
    <>
      <div className={styles.viewBar}>
        <TabBar
          id={tabsId}
          label={`Views of ${definition.labels.many}`}
          className={styles.viewTabs}
          tabs={[
            ...tabs.map((one) => ({
              name: one.name,
              label: (
                <TabLabel
                  {...{ definition, state: isOpen ? noState : state }}
                  tab={one}
                  known={chosen === one.name ? total : undefined}
                />
              ),
            })),
            ...(tab ? [] : [{ name: all, label: 'All' }]),
            ...pinned.map((one) => ({
              name: prefix + one.key,
              label: (
                <ViewLabel
                  {...{ definition, one }}
                  known={one === open ? total : undefined}
                  changed={one === open && isChanged}
                />
              ),
            })),
          ]}
          chosen={open || !isOpen ? chosen : (tab?.name ?? all)}
          onChoose={choose}
        />
        {open && (
          <IconButton
            size="small"
            className={styles.viewButton}
            aria-label={`Actions of view ${open.label}`}
            aria-haspopup="menu"
            aria-expanded={menu?.kind === 'view'}
            onClick={(event) => setMenu({ kind: 'view', anchor: event.currentTarget })}
          >
            <Icon name="chevron-down" />
          </IconButton>
        )}
        {(maySave || pinned.length < shown.length) && (
          <IconButton
            size="small"
            className={styles.viewButton}
            aria-label="Save or choose a view"
            aria-haspopup="menu"
            aria-expanded={menu?.kind === 'more'}
            onClick={(event) => setMenu({ kind: 'more', anchor: event.currentTarget })}
          >
            <Icon name="plus" />
          </IconButton>
        )}
      </div>
      {isOpen && views && !open && (
        <Alert
          severity="info"
          className={styles.viewNote}
          onClose={() => (lastOpen?.key === state.saved ? keepFilters() : leave(state.tab))}
        >
          {lastOpen?.key === state.saved
            ? `The view “${lastOpen.label}” was deleted, or is no longer shared with you. The list keeps its filters.`
            : 'This view was deleted, or is not shared with you. The list is shown without it.'}
        </Alert>
      )}
      {opened && opened.missing.length > 0 && (
        <Alert severity="info" className={styles.viewNote}>
          Opened without {opened.missing.join(', ')}: {opened.missing.length === 1 ? 'it was' : 'they were'} removed, or
          you may not see {opened.missing.length === 1 ? 'it' : 'them'}.
        </Alert>
      )}
      {menu?.kind === 'view' && open && (
        <ViewMenu
          {...{ open, changes, does }}
          chosen={chosenFirst}
          anchor={menu.anchor}
          onReset={() => openOne(open)}
          onEdit={() => setEdited(open.record)}
          onNew={maySave ? () => onSaving(true) : undefined}
          onClose={() => setMenu(null)}
        />
      )}
      {menu?.kind === 'more' && (
        <MoreViewsMenu
          views={shown.filter((one) => !pinned.includes(one))}
          anchor={menu.anchor}
          onOpen={openOne}
          onNew={maySave ? () => onSaving(true) : undefined}
          onClose={() => setMenu(null)}
        />
      )}
      {(saving || edited) && (
        <ViewDialog
          {...{ definition, settings }}
          record={edited}
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

/** The view that was open last in this window, also after it was deleted or is no longer shared. */
function useLastOpen(open: BarView | undefined): BarView | undefined {
  const [last, setLast] = useState(open);
  if (open && open !== last) setLast(open);
  return last;
}

/**
 * Keeps a list as its view has it when the view was changed elsewhere, unless the list itself was changed. What this
 * window stored (`isElsewhere` false) leaves the list as it is.
 */
function useFollowed(saved: ListState | undefined, state: ListState, isElsewhere: boolean, change: ChangeList): void {
  const before = useRef(saved);
  const follow = useEffectEvent((known: ListState, next: ListState) => {
    const isUnchanged = known.saved === next.saved && changesOfView(state, known).length === 0;
    if (isElsewhere && isUnchanged && changesOfView(state, next).length > 0)
      change(({ q }) => ({ ...next, q }), { replace: true });
  });
  useEffect(() => {
    if (before.current && saved) follow(before.current, saved);
    before.current = saved;
  }, [saved]);
}

const noState: Pick<ListState, 'filters' | 'q'> = { filters: {}, q: '' };

interface TabLabelProps {
  definition: Definition;
  state: Pick<ListState, 'filters' | 'q'>;
  tab: ListTab;
  known: number | undefined;
}

function TabLabel({ definition, state, tab, known }: TabLabelProps) {
  const counted = useTotal(definition.name, filterWithFixed(state, tab.filter), known === undefined);
  return <span className="num">{fillTemplate(tab.label, { total: numberOf(known ?? counted) })}</span>;
}

interface ViewLabelProps {
  definition: Definition;
  one: BarView;
  /** The total, if the list itself has it. */
  known: number | undefined;
  changed: boolean;
}

function ViewLabel({ definition, one, known, changed }: ViewLabelProps) {
  const { actor } = useDefinitions();
  const filter = useMemo(() => {
    const { state } = openView(one.key, one.settings, definition, actor);
    const { tabs } = definition.list;
    const tab = tabs.find(({ name }) => name === state.tab) ?? tabs[0];
    return filterWithFixed(state, tab?.filter ?? noFixedFilter);
  }, [actor, definition, one]);
  const counted = useTotal(definition.name, filter, known === undefined);
  return (
    <span className={styles.viewLabel}>
      <span className={styles.viewName}>{one.label}</span>
      <span className={`${styles.viewCount} num`}>{numberOf(known ?? counted)}</span>
      {changed && <i className={styles.viewChanged} title="Changed since it was saved" />}
      {changed && <span className="unseen">, changed since it was saved</span>}
    </span>
  );
}

const numberOf = (total: number | undefined) => (total === undefined ? '…' : formatNumber(total));
