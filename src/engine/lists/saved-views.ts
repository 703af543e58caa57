import type { Actor } from '../access/actor';
import { grantedFields } from '../access/access-decision';
import type { Definition, ResourceRecord, ViewSettings } from '../definitions/definition';
import { joinNames } from '../formats/join-names';
import { readableColumns } from './columns';
import { formatFilterValue, parseFilterValue, resolveFilterName } from './filter-text';
import { totalsOf } from './group-rows';
import { groupingOf } from './grouping';
import { isListView, pageSizeOf, pageSizes, type ListState, type SortOrder } from './list-state';
import { sortedField } from './sorted-field';

const settingKeys = ['filters', 'sort', 'columns', 'view', 'tab', 'group', 'closed', 'totals', 'rows'];
/** The most that a view keeps. */
const limits = { filters: 50, columns: 300, closed: 500, characters: 16_000 } as const;

/**
 * The message about a name that a list does not have: a view of a module names only what its author may see, so a
 * hidden field reads like one that there is not.
 */
const noSuch = (kind: string, name: string, { labels }: Definition) => `${labels.many} have no ${kind} ${short(name)}.`;
const short = (name: string) => JSON.stringify(name.slice(0, 80));

/**
 * Why settings cannot be saved for a list by this actor; undefined if they can.
 *
 * @example viewProblem({ sort: '-budget' }, films, actor); // undefined
 */
export function viewProblem(settings: unknown, definition: Definition, actor: Actor): string | undefined {
  if (!isObject(settings))
    return 'Settings must be an object with filters, sort, columns, view, tab, group, closed, totals or rows.';
  const unknown = Object.keys(settings).find((key) => !settingKeys.includes(key));
  if (unknown !== undefined) return `Settings have no ${short(unknown)}: they have ${settingKeys.join(', ')}.`;
  if (JSON.stringify(settings).length > limits.characters)
    return `Settings are too long: at most ${limits.characters} characters.`;
  return (
    filtersProblem(settings.filters, definition, actor) ??
    columnsProblem(settings.columns, definition, actor) ??
    wordsProblem(settings, definition, actor) ??
    groupProblem(settings, definition, actor)
  );
}

function filtersProblem(filters: unknown, definition: Definition, actor: Actor): string | undefined {
  if (filters === undefined) return undefined;
  if (!isObject(filters)) return 'Filters must be an object of names and values.';
  if (Object.keys(filters).length > limits.filters) return `A view has at most ${limits.filters} filters.`;
  for (const [name, value] of Object.entries(filters)) {
    if (!isFilterOf(name, definition, actor)) return noSuch('filter', name, definition);
    if (!isFilterValue(name, value, definition)) return `Filter ${short(name)} cannot have this value.`;
  }
  return undefined;
}

function columnsProblem(columns: unknown, definition: Definition, actor: Actor): string | undefined {
  if (columns === undefined) return undefined;
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > limits.columns)
    return `Columns must be a list of at least one and at most ${limits.columns} columns.`;
  const knownNames = new Set(readableColumns(definition, actor).map(({ field }) => field));
  const columnNames = new Set<string>();
  for (const column of columns as readonly unknown[]) {
    const { field, width, ...otherKeys } = isObject(column) ? column : {};
    if (typeof field !== 'string' || Object.keys(otherKeys).length > 0)
      return 'Each column must be an object with a field and perhaps a width.';
    if (!knownNames.has(field)) return noSuch('column', field, definition);
    if (columnNames.has(field)) return `Column ${short(field)} is listed twice.`;
    if (width !== undefined && !isWidth(width))
      return `The width of column ${short(field)} must be 40 to 1,000 pixels.`;
    columnNames.add(field);
  }
  return undefined;
}

function wordsProblem(settings: ResourceRecord, definition: Definition, actor: Actor): string | undefined {
  const { sort, view, tab, rows } = settings;
  if (sort !== undefined && !(typeof sort === 'string' && sortOf(sort, definition, actor)))
    return noSuch('order by', String(sort), definition);
  if (view !== undefined && !isListView(view, definition)) return noSuch('layout', String(view), definition);
  if (tab !== undefined && !definition.list.tabs.some(({ name }) => name === tab))
    return noSuch('tab', String(tab), definition);
  if (rows !== undefined && !isPageSize(rows)) return `Rows a page must be ${joinNames(pageSizes.map(String), 'or')}.`;
  return undefined;
}

function groupProblem({ group, closed: closedKeys, totals }: ResourceRecord, definition: Definition, actor: Actor) {
  if (group !== undefined && group !== null && !(typeof group === 'string' && isGrouping(group, definition, actor)))
    return noSuch('grouping', String(group), definition);
  if (closedKeys !== undefined && !(Array.isArray(closedKeys) && closedKeys.every((key) => typeof key === 'string')))
    return 'Closed groups must be a list of their values as text.';
  if ((closedKeys?.length ?? 0) > limits.closed) return `A view has at most ${limits.closed} closed groups.`;
  if (totals === undefined) return undefined;
  if (!isObject(totals)) return 'Totals must be an object of columns and what is taken of them.';
  const knownTotals = totalsOf({ totals: totals as ViewSettings['totals'] }, definition, actor);
  const unknown = Object.keys(totals).find((name) => !Object.hasOwn(knownTotals, name));
  return unknown === undefined ? undefined : noSuch('total', unknown, definition);
}

const isGrouping = (group: string, definition: Definition, actor: Actor) =>
  groupingOf({ group }, definition, actor) !== undefined;

/** A view as a list opens it, and the names of what it no longer can show. */
export interface OpenedView {
  readonly state: ListState;
  /** Filters, columns and orders of fields that are gone, or hidden from the actor; in the words of the definition's names. */
  readonly missing: readonly string[];
}

/**
 * The state of a list with a view: without what the definition no longer has, or what the actor may not see.
 * `$actor.…` in filters stands for the actor's own values.
 *
 * @example openView('12', { sort: '-budget' }, films, actor).state.sort; // { field: 'budget', order: 'DESC' }
 */
export function openView(savedView: string, settings: ViewSettings, definition: Definition, actor: Actor): OpenedView {
  const missingNames: string[] = [];
  const keep = <T>(name: string, value: T | undefined | null | false): T | undefined => {
    if (value) return value;
    missingNames.push(name);
    return undefined;
  };
  const filters: ResourceRecord = {};
  for (const [name, storedValue] of Object.entries(settings.filters ?? {})) {
    const value = resolveActor(storedValue, actor);
    if (keep(name, isFilterOf(name, definition, actor) && isFilterValue(name, value, definition)))
      filters[name] = value;
  }
  const knownNames = new Set(readableColumns(definition, actor).map(({ field }) => field));
  const columns = settings.columns?.filter(({ field }) => keep(field, knownNames.has(field)));
  const { sort, view, tab, group, closed: closedKeys, totals, rows } = settings;
  const isKept = group === null || (group !== undefined && keep(group, isGrouping(group, definition, actor)) === true);
  const possibleTotals = totals && totalsOf({ totals }, definition, actor);
  for (const name of Object.keys(totals ?? {})) keep(name, possibleTotals && Object.hasOwn(possibleTotals, name));
  return {
    missing: [...new Set(missingNames)],
    state: {
      filters,
      q: '',
      page: 1,
      sort:
        (sort !== undefined && keep(sort.replace(/^-/, ''), sortOf(sort, definition, actor))) || definition.list.sort,
      view: isListView(view, definition) ? view : null,
      tab: definition.list.tabs.slice(1).find(({ name }) => name === tab)?.name ?? null,
      saved: savedView,
      ...(columns && columns.length > 0 && { columns }),
      ...(isKept && { group }),
      ...(closedKeys && closedKeys.length > 0 && { closed: closedKeys }),
      ...(possibleTotals && { totals: possibleTotals }),
      ...(isPageSize(rows) && { rows }),
    },
  };
}

/**
 * The settings of a list that a view keeps. The searched text and the page are left out.
 *
 * @example viewSettingsOf(state).sort; // '-budget'
 */
export function viewSettingsOf({
  filters,
  sort,
  columns,
  view,
  tab,
  group,
  closed: closedKeys,
  totals,
  rows,
}: ListState): ViewSettings {
  return {
    filters,
    sort: `${sort.order === 'DESC' ? '-' : ''}${sort.field}`,
    ...(columns && { columns }),
    ...(view && { view }),
    ...(tab && { tab }),
    ...(group !== undefined && { group }),
    ...(closedKeys && { closed: closedKeys }),
    ...(totals && { totals }),
    ...(rows !== undefined && { rows }),
  };
}

/**
 * In what a list differs from its view, in words: `sort`, `2 filters`.
 *
 * @example changesOfView(state, openView('12', settings, films, actor).state); // ['sort', '1 filter']
 */
export function changesOfView(now: ListState, savedState: ListState): string[] {
  const names = changedFilters(now, savedState).length;
  const isDifferent = (key: 'columns' | 'view' | 'tab' | 'group' | 'closed' | 'totals') =>
    JSON.stringify(now[key] ?? null) !== JSON.stringify(savedState[key] ?? null);
  return [
    ...(now.sort.field !== savedState.sort.field || now.sort.order !== savedState.sort.order ? ['sort'] : []),
    ...(names > 0 ? [`${names} ${names === 1 ? 'filter' : 'filters'}`] : []),
    ...(isDifferent('columns') ? ['columns'] : []),
    ...(isDifferent('view') ? ['layout'] : []),
    ...(isDifferent('tab') ? ['tab'] : []),
    ...(isDifferent('group') || isDifferent('closed') ? ['grouping'] : []),
    ...(isDifferent('totals') ? ['totals'] : []),
    ...(pageSizeOf(now) === pageSizeOf(savedState) ? [] : ['rows a page']),
  ];
}

/**
 * The names of the filters by which a list differs from its view.
 *
 * @example changedFilters(state, saved); // ['status_id']
 */
export function changedFilters(now: Pick<ListState, 'filters'>, savedState: Pick<ListState, 'filters'>): string[] {
  const names = new Set([...Object.keys(now.filters), ...Object.keys(savedState.filters)]);
  const text = (value: unknown) => (value === undefined ? '' : formatFilterValue(value));
  return [...names].filter((name) => text(now.filters[name]) !== text(savedState.filters[name]));
}

function isFilterOf(name: string, definition: Definition, actor: Actor): boolean {
  if (name === 'archive') return definition.archive !== null;
  const target = resolveFilterName(name, definition);
  const field = target?.field?.name ?? (target?.parameter && definition.parameters[target.parameter]?.field);
  return target !== undefined && (!field || grantedFields(actor, definition, 'list').has(field));
}

/** Whether an address can carry the value. */
function isFilterValue(name: string, value: unknown, definition: Definition): boolean {
  const isText = isObject(value) && Object.keys(value).join() === '$contains' && typeof value.$contains === 'string';
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = parts.every((part) => ['string', 'number', 'boolean'].includes(typeof part));
  if (!isText && !isPlain) return false;
  return parseFilterValue(name, formatFilterValue(value), definition) !== undefined;
}

function sortOf(text: string, definition: Definition, actor: Actor): SortOrder | undefined {
  const field = text.replace(/^-/, '');
  const sortField = sortedField(field, definition);
  if (!sortField || !grantedFields(actor, definition, 'list').has(sortField.name)) return undefined;
  return { field, order: text.startsWith('-') ? 'DESC' : 'ASC' };
}

/** `$actor.id` of a view that comes with the definition. */
function resolveActor(value: unknown, actor: Actor): unknown {
  if (Array.isArray(value)) return value.map((part) => resolveActor(part, actor));
  const name = typeof value === 'string' && /^\$actor\.(\w+)$/.exec(value)?.[1];
  return name ? (actor as unknown as ResourceRecord)[name] : value;
}

const isObject = (value: unknown): value is ResourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPageSize = (rows: unknown): rows is number => (pageSizes as readonly unknown[]).includes(rows);
const isWidth = (value: unknown) => Number.isInteger(value) && (value as number) >= 40 && (value as number) <= 1000;
