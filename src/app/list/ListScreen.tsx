import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useMemo, useState, type ReactNode, useReducer } from 'react';
import { useParams } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { SkeletonRows } from '../states/SkeletonRows';
import { useRestoredAddress } from './useRestoredAddress';
import { isGranted } from '../../engine/access/access-decision';
import { realUser } from '../../engine/access/actor';
import { listTitle } from '../../engine/lists/list-title';
import { filterInputs } from '../../engine/lists/filter-inputs';
import {
  isBuiltInView,
  isSavedView,
  savedViewLinkOf,
  unknownFilters,
  type ListState,
  type ListView,
} from '../../engine/lists/list-state';
import { activeTab } from '../../engine/lists/tabs';
import { useDefinitions } from '../data/DefinitionsContext';
import { useCommands } from '../commands/commands';
import { tabPanel } from '../layout/TabBar';
import { CoveredContext, usePage } from '../layout/page';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import { menuInDrawer, phone } from '../theme/overrides';
import { ListAddressContext, useListAddress, useOwnListAddress } from '../navigation/listAddress';
import { useScopedFilter } from '../preferences/listScope';
import { forgetFilters, rememberedQuery, rememberedView, rememberView } from '../preferences/rememberedScreens';
import { ListFrame } from './ListFrame';
import { noFixedFilter, useRecords } from './useRecords';
import { useSavedViews } from './saved-views/useSavedViews';
import { ListTabs, tabsId } from './tabs/ListTabs';
import { useListCommands } from './useListCommands';
import { useListState, type ChangeList } from './useListState';
import { useSettled } from './useSettled';
import { showsGroups, viewOf } from './views';
import * as styles from './toolbar.module.css';

interface ListScreenProps {
  definition: Definition;
  /** The routes of forms that are open over the list, below its own. `list` is the path of the list, with its query. */
  formOver?: (list: string) => ReactNode;
}

/** The list of a resource, and the form that its address opens over it as a dialog. */
export function ListScreen({ definition, formOver }: ListScreenProps) {
  const { '*': formPath = '' } = useParams();
  // Slashes alone are no address of a form.
  const isCovered = formOver !== undefined && /[^/]/.test(formPath);
  const address = useOwnListAddress(definition.name, isCovered);
  return (
    <>
      <ListAddressContext value={address}>
        <CoveredContext value={isCovered}>
          <RestoredList definition={definition} />
        </CoveredContext>
      </ListAddressContext>
      {isCovered && formOver?.(`/${definition.name}${address.search}`)}
    </>
  );
}

/** The list with its remembered state restored. */
function RestoredList({ definition }: { definition: Definition }) {
  const returning = useRestoredAddress(definition.name);
  const { search } = useListAddress();
  const viewLink = savedViewLinkOf(new URLSearchParams(search), definition);
  if (returning) return <SkeletonRows />;
  if (viewLink === undefined) return <List definition={definition} />;
  return (
    <LoadingFallback fallback={<SkeletonRows />}>
      <SavedViewLink key={viewLink} {...{ definition, viewId: viewLink }} />
    </LoadingFallback>
  );
}

const SavedViewLink = lazyComponent(() =>
  import('./saved-views/SavedViewLink').then((part) => ({ default: part.SavedViewLink })),
);
const ViewBar = lazyComponent(() => import('./saved-views/ViewBar').then((part) => ({ default: part.ViewBar })));

const LostFilters = lazyComponent(() => import('./LostFilters').then((part) => ({ default: part.LostFilters })));
const UnappliedFilters = lazyComponent(() =>
  import('./LostFilters').then((part) => ({ default: part.UnappliedFilters })),
);

/** Toolbar, active filters, records and pages of a resource. */
function List({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useListState(definition);
  const tab = activeTab(definition, state);
  const { views, first, chosenKey: chosenFirst, exist } = useSavedViews(definition);
  useFirstView(first, views !== undefined);
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const [saving, setSaving] = useState(false);
  const maySave = isGranted(actor, 'views', 'create') && registry.get('views') !== undefined;
  useCommands(
    () => [{ id: 'save-view', label: 'Save as new view…', icon: 'save', run: () => setSaving(true) }],
    maySave,
  );
  const hasBar = exist || saving || isSavedView(state) || definition.list.saved.length > 0;
  const isOpen =
    definition.list.saved.some(({ name }) => name === state.saved) ||
    views?.some(({ id }) => String(id) === state.saved);
  const panel = isOpen ? `view-${state.saved}` : (tab?.name ?? (hasBar ? 'all' : undefined));
  const tabFilter = tab?.filter ?? noFixedFilter;
  const fixedFilter = useScopedFilter(definition, state, tabFilter);
  const showsScope = useMediaQuery(menuInDrawer, { noSsr: true }) && fixedFilter !== tabFilter;
  const { view, keptView: selectedView, choose } = useShownView(definition, state, change, isPhone);
  // A view without headings has no groups, and so none that are closed.
  const records = useRecords(
    definition.name,
    showsGroups(view) ? state : { ...state, group: null },
    fixedFilter,
    isBuiltInView(view) ? 'chosen' : 'all',
  );
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const { total } = records;
  // Tabs show their own totals.
  usePage({ title: listTitle(definition, tab ? undefined : total), flat: true });
  useListCommands(definition);

  const person = realUser(actor).id;
  const [unknownNames, setUnknownNames] = useState(() =>
    unknownFilters(new URLSearchParams(rememberedQuery(person, definition.name)), definition),
  );
  const forget = () => {
    forgetFilters(person, definition.name, unknownNames);
    setUnknownNames([]);
    // Without their names in the address.
    change((current) => ({ ...current }), { replace: true });
  };
  const { search } = useListAddress();
  const unapplied = useMemo(
    () => unknownFilters(new URLSearchParams(search), definition).filter((name) => !unknownNames.includes(name)),
    [definition, unknownNames, search],
  );
  const isSettled = useSettled(records.data !== undefined || records.error !== null);
  const tabs = tab ? <ListTabs chosenTab={tab} /> : hasBar && <div className={styles.viewBarWait} />;
  return (
    <ListFrame
      {...{ definition, state, change, inputs, records, view, isPhone, showsScope, unsaved }}
      fixedValues={fixedFilter}
      chooseView={choose}
      onSaveView={maySave ? () => setSaving(true) : undefined}
      hasCharts={definition.list.charts.length > 0}
      panel={panel === undefined ? undefined : tabPanel(tabsId, panel)}
    >
      {hasBar && (isSettled || saving) ? (
        <LoadingFallback fallback={tabs}>
          <ViewBar
            {...{ tab, views, first, maySave, saving }}
            view={selectedView}
            chosenFirst={chosenFirst}
            onSaving={setSaving}
            onUnsaved={setUnsaved}
          />
        </LoadingFallback>
      ) : (
        tabs
      )}
      {unknownNames.length > 0 && <LostFilters {...{ definition, names: unknownNames }} onClose={forget} />}
      {unapplied.length > 0 && (
        <UnappliedFilters
          {...{ definition, search }}
          names={unapplied}
          onClose={() => change((current) => ({ ...current }), { replace: true })}
        />
      )}
    </ListFrame>
  );
}

/** Opens a list that was opened without any state with its first view, once it is known that it has one. */
function useFirstView(first: string | undefined, isKnown: boolean): void {
  const { search, change } = useListAddress();
  const [isPlain, setPlain] = useState(search === '');
  useEffect(() => {
    if (!isPlain || !isKnown) return;
    setPlain(false);
    if (search === '' && first) change(`?view=${first}`, { replace: true });
  }, [change, first, isKnown, isPlain, search]);
}

/** How a list is shown, what a saved view of it keeps, and a function to show it otherwise. */
interface ShownView {
  readonly view: ListView;
  readonly keptView: ListView;
  readonly choose: (view: ListView) => void;
}

/**
 * The view in which a list is shown: that of its address, else what the user chose last on such a screen. On a phone the
 * grid of a saved view is shown as cards unless the user chose the grid there, and cards are kept as the grid that they
 * replace.
 */
function useShownView(definition: Definition, state: ListState, change: ChangeList, isPhone: boolean): ShownView {
  const person = realUser(useDefinitions().actor).id;
  const [, showChoice] = useReducer((count: number) => count + 1, 0);
  const viewOnDevice = (onPhone: boolean) => rememberedView(person, definition.name, onPhone);
  const isGridOfView = isPhone && isSavedView(state) && state.view === 'list';
  const requestedView = isGridOfView && viewOnDevice(true) !== 'list' ? 'cards' : (state.view ?? viewOnDevice(isPhone));
  const view = viewOf(requestedView, definition, isPhone);
  const defaultView = isPhone && view === 'cards' ? viewOf(viewOnDevice(false), definition, false) : view;
  return {
    view,
    keptView: state.view ?? defaultView,
    choose: (nextView) => {
      const isOfDevice = isGridOfView && (nextView === 'list' || nextView === 'cards');
      if (!isSavedView(state) || isOfDevice) rememberView(person, definition.name, nextView, isPhone);
      if (isOfDevice) return showChoice();
      // The address that Back leads to says how the list was shown, as the choice is remembered from now on.
      if (!isSavedView(state)) change((current) => ({ ...current, view: current.view ?? view }), { replace: true });
      change((current) => ({ ...current, view: nextView }));
    },
  };
}
