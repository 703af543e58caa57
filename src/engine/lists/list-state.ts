import {
  builtInViews,
  type BuiltInView,
  type Definition,
  type ListView,
  type ResourceRecord,
  type TotalFunction,
} from '../definitions/definition';
import { isDate } from '../formats/dates';
import { parseFilterValue, formatFilterValue } from './filter-text';
import { parseGrouping } from './grouping';
import { sortedField } from './sorted-field';
import { firstOf } from '../values/lookups';

export type { ListView };

export interface SortOrder {
  readonly field: string;
  readonly order: 'ASC' | 'DESC';
}

/** The state of a list, as stored in its URL. */
export interface ListState {
  /** As in the API: fields, `x_from` and `x_to`, parameters, `archive`. */
  readonly filters: Readonly<ResourceRecord>;
  /** Searched in all text; empty: nothing. */
  readonly q: string;
  readonly sort: SortOrder;
  /** From 1. */
  readonly page: number;
  /** Null: the user's last choice. */
  readonly view: ListView | null;
  /** The name of the chosen tab; null: the first, or the list has none. */
  readonly tab: string | null;
  /** The id of the saved view that it was opened with, or the name of one of the definition; `all`: with none. */
  readonly saved?: string;
  /** The visible columns in order, instead of the user's choice. */
  readonly columns?: readonly ShownColumn[];
  /** Its grouping (`stage_id`, `close_on:month`); null: nothing; undefined: as the definition says. */
  readonly group?: string | null;
  /** The keys of closed groups, whose records are not shown. */
  readonly closed?: readonly string[];
  /** The totals of columns, by field; undefined: as the definition says. */
  readonly totals?: Readonly<Record<string, TotalFunction>>;
  /** How many rows a page has, one of `pageSizes`; default: 15. */
  readonly rows?: number;
  /** The day that a calendar or timeline shows, `YYYY-MM-DD`; default: today. */
  readonly shown?: string;
  /** How many days it shows, such as `week`; default: the first of its choices. */
  readonly scale?: string;
}

/** A column of a saved view; its width in pixels. */
export interface ShownColumn {
  readonly field: string;
  readonly width?: number;
}

/** Rows on a page, unless a list says otherwise. */
export const perPage = 15;
/** The choices of rows on a page. */
export const pageSizes = [perPage, 30, 50, 100] as const;

/**
 * The rows on a page of a list.
 *
 * @example pageSizeOf({}); // 15
 */
export const pageSizeOf = ({ rows = perPage }: Pick<ListState, 'rows'>): number => rows;

const reservedKeys = new Set('q sort page rows view layout tab columns group closed totals shown scale'.split(' '));
/** Prefix of a filter whose name is one of the words above. */
const filterPrefix = 'filter.';
/** No grouping or no totals, although the definition has some. */
const noneSign = '-';

/**
 * Parses a list's state from its URL. Values that are invalid for the definition are ignored.
 *
 * @example parseListState(new URLSearchParams('q=login&page=2'), definition).page; // 2
 */
export function parseListState(entries: Iterable<readonly [string, string]>, definition: Definition): ListState {
  const filters: ResourceRecord = {};
  const words: Record<string, string> = {};
  for (const [key, text] of entries) {
    if (reservedKeys.has(key)) {
      words[key] = text;
      continue;
    }
    const name = key.startsWith(filterPrefix) ? key.slice(filterPrefix.length) : key;
    const value = parseFilterValue(name, text, definition);
    if (value !== undefined) filters[name] = value;
  }
  const page = Number(words.page ?? 1);
  const { rows, view, columns, group, closed: closedGroups, totals, shown: shownDay, scale } = words;
  const savedView = isListView(view, definition) ? undefined : view;
  const layout = savedView ? words.layout : view;
  return {
    filters,
    q: words.q ?? '',
    sort: parseSort(words.sort, definition),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    view: isListView(layout, definition) ? layout : null,
    tab: definition.list.tabs.slice(1).find(({ name }) => name === words.tab)?.name ?? null,
    ...(savedView && { saved: savedView }),
    ...(shownDay && isDate(shownDay) && { shown: shownDay }),
    ...(scale && { scale }),
    ...(pageSizes.some((size) => size !== perPage && String(size) === rows) && { rows: Number(rows) }),
    ...(columns && {
      columns: parsePairs(columns).map(([field, width]) => ({ field, ...(+width && { width: +width }) })),
    }),
    ...(group === noneSign ? { group: null } : group && parseGrouping(group, definition) && { group }),
    ...(closedGroups !== undefined && { closed: closedGroups.split(',').map(readPart) }),
    ...(totals && { totals: Object.fromEntries(totals === noneSign ? [] : parsePairs(totals)) as ListState['totals'] }),
  };
}

/**
 * The names in a query that are no filter of the list any more, because their field was renamed or removed, or with a
 * value that it no longer takes. A sort by such a field is one too.
 *
 * @example unknownFilters(new URLSearchParams('old_name=3'), definition); // ['old_name']
 */
export function unknownFilters(entries: Iterable<readonly [string, string]>, definition: Definition): string[] {
  const query = [...entries];
  const { filters } = parseListState(query, definition);
  const field = query.find(([key]) => key === 'sort')?.[1].replace(/^-/, '');
  const isLost = field !== undefined && !Object.hasOwn(definition.fields, field);
  const names = query.map(([key]) => key).filter((key) => !reservedKeys.has(key));
  const unprefixed = names.map((key) => (key.startsWith(filterPrefix) ? key.slice(filterPrefix.length) : key));
  return [...new Set([...unprefixed.filter((name) => !Object.hasOwn(filters, name)), ...(isLost ? [field] : [])])];
}

/**
 * Whether a list was opened with a saved view.
 *
 * @example isSavedView({ saved: '12' }); // true; but not of 'all'
 */
export function isSavedView({ saved: savedView }: Pick<ListState, 'saved'>): boolean {
  return savedView !== undefined && savedView !== 'all';
}

/**
 * The saved view that an address of a list is a link to: it names one, and none of the state that it opens with.
 *
 * @example savedViewLinkOf(new URLSearchParams('view=12'), films); // '12'
 */
export function savedViewLinkOf(
  entries: Iterable<readonly [string, string]>,
  definition: Definition,
): string | undefined {
  const { view, sort } = Object.fromEntries(entries) as Record<string, string | undefined>;
  return sort !== undefined || isListView(view, definition) || view === 'all' ? undefined : view;
}

/**
 * Whether it is the name of a layout that lists have, or that the product adds to this one.
 *
 * @example isListView('kanban', films); // true
 */
export function isListView(name: unknown, { list }: Pick<Definition, 'list'>): name is ListView {
  return isBuiltInView(name) || (list.views as readonly unknown[]).includes(name);
}

/**
 * Whether it is the name of a layout that every list can have.
 *
 * @example isBuiltInView('kanban'); // true
 */
export function isBuiltInView(name: unknown): name is BuiltInView {
  return (builtInViews as readonly unknown[]).includes(name);
}

/** `a:1,b` as pairs; what has no second part has an empty one. */
function parsePairs(text: string): [string, string][] {
  const parts = text.split(',').filter(Boolean);
  return parts.map((part) => [firstOf(part.split(':')), part.split(':')[1] ?? '']);
}

/** A text among others with commas between them. */
const writePart = (text: string) => text.replaceAll('%', '%25').replaceAll(',', '%2C');
const readPart = (text: string) => text.replaceAll('%2C', ',').replaceAll('%25', '%');

/**
 * The URL parameters of a state: only what differs from the definition's defaults and the first page.
 *
 * @example formatListState(state, definition); // [['status_id', '3,5'], ['page', '2']]
 */
export function formatListState(state: ListState, definition: Definition): [string, string][] {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(state.filters)) {
    if (value === undefined || value === null || value === '') continue;
    entries.push([reservedKeys.has(name) ? filterPrefix + name : name, formatFilterValue(value)]);
  }
  if (state.q !== '') entries.push(['q', state.q]);
  const { field, order } = state.sort;
  const defaultSort = definition.list.sort;
  const { saved: savedView, columns, group, closed: closedGroups, totals, shown: shownDay, scale } = state;
  // An address of nothing but a view is a link to it. The list that it opens always has its order in the address.
  if (isSavedView(state) || field !== defaultSort.field || order !== defaultSort.order)
    entries.push(['sort', `${order === 'DESC' ? '-' : ''}${field}`]);
  if (state.page > 1) entries.push(['page', String(state.page)]);
  if (pageSizeOf(state) !== perPage) entries.push(['rows', String(state.rows)]);
  if (savedView) entries.push(['view', savedView]);
  if (state.view) entries.push([savedView ? 'layout' : 'view', state.view]);
  if (state.tab) entries.push(['tab', state.tab]);
  if (columns)
    entries.push(['columns', columns.map(({ field: name, width }) => name + (width ? `:${width}` : '')).join()]);
  if (group !== undefined && group !== (definition.list.group?.field ?? null))
    entries.push(['group', group ?? noneSign]);
  if (closedGroups?.length) entries.push(['closed', closedGroups.map(writePart).join()]);
  if (totals)
    entries.push([
      'totals',
      Object.entries(totals)
        .map((pair) => pair.join(':'))
        .join() || noneSign,
    ]);
  if (shownDay) entries.push(['shown', shownDay]);
  if (scale) entries.push(['scale', scale]);
  return entries;
}

function parseSort(text: string | undefined, definition: Definition): SortOrder {
  const field = text?.replace(/^-/, '');
  if (!text || !field || !sortedField(field, definition)) return definition.list.sort;
  return { field, order: text.startsWith('-') ? 'DESC' : 'ASC' };
}

/**
 * The filter of the API's list call.
 *
 * @example apiFilterOf({ filters: { status_id: 3 }, q: ' log ' }); // { status_id: 3, q: 'log' }
 */
export function apiFilterOf({ filters, q }: Pick<ListState, 'filters' | 'q'>): ResourceRecord {
  return q.trim() === '' ? { ...filters } : { ...filters, q: q.trim() };
}

/**
 * The state with other filters, on the first page. A filter set to undefined, null or an empty value is removed.
 *
 * @example withFilters(state, { status_id: [3, 5] }).page; // 1
 */
export function withFilters(state: ListState, change: Readonly<ResourceRecord>): ListState {
  const filters = Object.fromEntries(
    Object.entries({ ...state.filters, ...change }).filter(([, value]) => !isEmptyValue(value)),
  );
  return { ...state, filters, page: 1 };
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
