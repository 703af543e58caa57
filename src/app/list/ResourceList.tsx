import {
  ListContext,
  ListFilterContext,
  ListPaginationContext,
  ListSortContext,
  ResourceContextProvider,
  useDataProvider,
  useListContext,
  type ListControllerBaseResult,
  type ListControllerResult,
  type RaRecord,
} from 'react-admin';
import { use, type ReactNode } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import { listTitle } from '../../engine/lists/list-title';
import { pageSizeOf, withFilters, type ListState, type ListView } from '../../engine/lists/list-state';
import { pageCount } from '../../engine/lists/pagination';
import { filterWithFixed } from '../../engine/lists/tabs';
import { useDefinitions } from '../data/DefinitionsContext';
import { reportError } from '../data/ErrorToasts';
import type { tabPanel } from '../layout/TabBar';
import { useApi } from '../session/apiClient';
import { useSelection, type Selection } from './bulk/useSelection';
import type { ChangeList } from './useListState';
import type { ListRecords } from './useRecords';

/** A list of a definition: its state, and what the screen around it fixes. */
export interface ListParts {
  readonly definition: Definition;
  readonly state: ListState;
  readonly change: ChangeList;
  /** The filters that the user can set. */
  readonly inputs: readonly FilterInput[];
  readonly isPhone: boolean;
  readonly view: ListView;
  /** Shows the list in another view; undefined: there is only one. */
  readonly chooseView?: (view: ListView) => void;
  /** Fixed filters besides the user's: of the tab, or of the surrounding record. */
  readonly fixedValues: Readonly<ResourceRecord>;
  /** Says what the switcher has narrowed it to, as no menu beside it does. */
  readonly showsScope?: boolean;
  /** It is part of another record's form. */
  readonly embedded?: boolean;
  /** Whether its charts are shown above it, and a function to show or hide them; undefined: it has none. */
  readonly charts?: { readonly isShown: boolean; readonly show: (shown: boolean) => void };
  /** Adds a record; by default as the definition says. */
  readonly onAdd?: () => void;
  /** The panel props of its tabs, if it has tabs. */
  readonly panel?: ReturnType<typeof tabPanel>;
  /** Saves the list as it is shown as a view; undefined: the user cannot. */
  readonly onSaveView?: () => void;
  /** The names of filters that differ from the saved view. */
  readonly unsaved?: readonly string[];
  /** The name under which the screen's filters are remembered; by default the list's. */
  readonly screen?: string;
}

/** react-admin's controller of a list, with what a list of a definition has besides. */
export interface ResourceList
  extends Omit<ListControllerBaseResult<RaRecord>, 'onSelectAll' | keyof ListRecords>, ListParts, ListRecords {
  readonly selection: Selection;
  /** Selects all records that match the filters, up to a limit. */
  readonly onSelectAll: (options?: { limit?: number }) => Promise<void>;
}

/** The most records that can be selected at once. */
export const maxSelection = 1000;

/** The records of a screen that has filters and no list. */
const noRecords: ListRecords = {
  data: [],
  total: 0,
  paged: 0,
  grouping: undefined,
  error: null,
  isFetching: false,
  isPending: false,
  isPlaceholderData: false,
  isReplacing: false,
  refetch: () => undefined,
};

/**
 * The surrounding list: react-admin's `useListContext()`, typed as it is below a `ResourceListProvider`. Throws where there is
 * no list.
 *
 * @example const { definition, data, total, setPage } = useResourceList();
 */
export function useResourceList(): ResourceList {
  return useListContext<RaRecord>() as unknown as ResourceList;
}

/**
 * The surrounding list; undefined on screens without one, and within a list that is react-admin's own.
 *
 * @example const add = useSurroundingList()?.onAdd;
 */
export function useSurroundingList(): ResourceList | undefined {
  const list = use(ListContext) as unknown as ResourceList | null | undefined;
  return list?.selection && list;
}

interface ResourceListProviderProps extends ListParts {
  /** Left out on a screen that has filters and no list. */
  readonly records?: ListRecords;
  readonly children: ReactNode;
}

/** Provides a list to the components below: ours by `useResourceList()`, those of react-admin by `useListContext()`. */
export function ResourceListProvider({ records = noRecords, children, ...parts }: ResourceListProviderProps) {
  const dataProvider = useDataProvider();
  const { actor } = useDefinitions();
  const ask = useApi();
  const { definition, state, change, fixedValues: fixedFilter } = parts;
  const { name: resource } = definition;
  const selection = useSelection(parts, records);
  const { selected, select } = selection;
  const selectIds = async (ids: readonly RaRecord['id'][]) => {
    const { loadSelected } = await import('./bulk/loadSelected');
    select(await loadSelected(dataProvider, resource, ids, [...selected.values(), ...(records.data ?? [])]));
  };
  const downloadList = async () => {
    const { downloadList: download } = await import('./export/downloadList');
    await download({ definition, actor, state, fixedValues: fixedFilter, choices: null }, ask);
  };
  const setFilters = ({ q = '', ...filters }: ResourceRecord) =>
    change((current) => withFilters({ ...current, filters: {}, q: String(q) }, filters));
  const setFilter = (filter: string, value: unknown) => change((current) => withFilters(current, { [filter]: value }));
  const list: ResourceList = {
    ...parts,
    ...records,
    resource,
    selection,
    defaultTitle: listTitle(definition, undefined),
    isLoading: records.isPending,
    isPaused: false,
    page: state.page,
    perPage: pageSizeOf(state),
    hasPreviousPage: state.page > 1,
    hasNextPage:
      records.paged === undefined
        ? undefined
        : pageCount({
            page: state.page,
            perPage: pageSizeOf(state),
            shownCount: records.data?.length ?? 0,
            total: records.paged,
          }) > state.page,
    setPage: (page) => change((current) => ({ ...current, page })),
    setPerPage: (rows) => change((current) => ({ ...current, rows, page: 1 })),
    sort: { ...state.sort },
    setSort: ({ field, order }) =>
      change((current) => ({ ...current, sort: { field, order: order ?? 'ASC' }, page: 1 })),
    filter: fixedFilter,
    filterValues: state.q === '' ? state.filters : { ...state.filters, q: state.q },
    displayedFilters: state.filters,
    setFilters,
    showFilter: setFilter,
    hideFilter: (filter) => setFilter(filter, undefined),
    selectedIds: [...selected.keys()],
    onSelect: (ids) => void selectIds(ids).catch(reportError),
    onToggleItem: (id) => selection.toggle(Number(id), false),
    onUnselectItems: () => select(new Map()),
    onSelectAll: async ({ limit = maxSelection } = {}) => {
      const { loadAll } = await import('./bulk/loadSelected');
      select(
        await loadAll(dataProvider, resource, limit, {
          sort: { ...state.sort },
          filter: filterWithFixed(state, fixedFilter),
        }),
      );
    },
    exporter: definition.export === null ? false : () => downloadList().catch(reportError),
    // The button asks for it before it calls the exporter, which needs none of them.
    getData: () => Promise.resolve(records.data ?? []),
  };
  const value = list as unknown as ListControllerResult<RaRecord>;
  // As `ListContextProvider`, which picks what each takes: all of it changes at once here.
  return (
    <ResourceContextProvider value={resource}>
      <ListContext value={value}>
        <ListFilterContext value={value}>
          <ListSortContext value={value}>
            <ListPaginationContext value={value}>{children}</ListPaginationContext>
          </ListSortContext>
        </ListFilterContext>
      </ListContext>
    </ResourceContextProvider>
  );
}
