import type { ListView } from '../definitions/definition';
import type { HighlightSource, ListSource, Source } from '../definitions/source';
import { renameCondition } from './rename-conditions';
import {
  entries,
  nullIfEmpty,
  replaceValues,
  renameNames,
  renamePath,
  renameTemplate,
  renameVariable,
  type Renaming,
} from './renaming';

type Card = NonNullable<ListSource['card']>;
type Line = NonNullable<Card['lines']>[number];
type Filters = NonNullable<ListSource['filters']>;

/** The labels of the parts of a list. */
const partLabels: Readonly<Record<string, string>> = {
  sort: 'the sort order',
  columns: 'columns',
  sortChoices: 'the sort order',
  bulkEdit: 'bulk editing',
  inlineEdit: 'editing in the list',
  filters: 'filters',
  card: 'the card',
  tabs: 'tabs of the list',
  saved: 'views of the list',
  charts: 'charts',
  actions: 'row actions',
  kanban: 'the board',
  group: 'the grouping',
  totals: 'totals',
  calendar: 'the calendar',
  timeline: 'the timeline',
  gallery: 'the gallery',
  tree: 'the tree',
  highlight: 'the highlight',
};

/** The list of a definition with renamed fields. */
export function renameList(renaming: Renaming, list: ListSource, source: Source): ListSource {
  const made = replaceValues(renaming, list, partLabels, {
    sort: (sort) => renameSort(renaming, sort),
    columns: (columns) => entries(columns, (column) => renameColumn(renaming, column)),
    sortChoices: (choices) => nullIfEmpty(renameNames(renaming, choices)),
    bulkEdit: (fields) => nullIfEmpty(renameNames(renaming, fields)),
    inlineEdit: (fields) => renameNames(renaming, fields),
    filters: (filters) => nullIfEmpty(renameFilters(renaming, filters, source)),
    card: (card) => renameCard(renaming, card),
    tabs: (tabs) => withFirstTab(entries(tabs, (tab) => renameTab(renaming, tab, source))),
    saved: (views) => entries(views, (view) => renameView(renaming, view, source)),
    charts: (charts) => entries(charts, (chart) => renameChart(renaming, chart)),
    actions: (actions) => actions.map((one) => (typeof one === 'string' ? one : renameAction(renaming, one))),
    kanban: (kanban) => renameKanban(renaming, kanban, source),
    group: (group) => renameGroup(renaming, group),
    totals: (totals) => renameKeys(renaming, totals),
    calendar: (days) => renameDays(renaming, days, 'the calendar'),
    timeline: (days) => renameDays(renaming, days, 'the timeline'),
    gallery: (gallery) => renameGallery(renaming, gallery),
    tree: (fields) => nullIfEmpty(renameNames(renaming, fields)),
    highlight: (highlight) => {
      const renamed = (one: HighlightSource) => {
        const when = renameCondition(renaming, one.when);
        return when && { ...one, when };
      };
      return Array.isArray(highlight) ? entries(highlight, renamed) : renamed(highlight);
    },
  });
  // A view goes with what describes it.
  const isLeft = (view: ListView) => view === 'list' || view === 'cards' || made[view] !== undefined;
  if (!made.views || made.views.every(isLeft)) return made;
  return replaceValues(renaming, made, '', { views: (views) => nullIfEmpty(views.filter(isLeft)) });
}

type Group = NonNullable<ListSource['group']>;

function renameGroup(renaming: Renaming, group: Group): Group | null {
  const made = replaceValues(renaming, group, 'the grouping', {
    by: (by) => renameGrouping(renaming, by),
    fields: (fields) => nullIfEmpty(renameNames(renaming, fields)),
  });
  return Object.keys(made).length > 0 ? made : null;
}

/** `close_on:month` of a field that is called differently now. */
function renameGrouping(renaming: Renaming, grouping: string): string | null {
  const [name = '', ...unit] = grouping.split(':');
  const next = renaming.mapName(name);
  return next === null ? null : [next, ...unit].join(':');
}

type Totals = NonNullable<ListSource['totals']>;

function renameKeys(renaming: Renaming, totals: Totals): Totals | null {
  const kept = Object.entries(totals).flatMap(([name, value]) => {
    const next = renaming.mapName(name);
    return next === null ? [] : [[next, value] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

type Column = NonNullable<ListSource['columns']>[number];

function renameColumn(renaming: Renaming, column: Column): Column | null {
  if (typeof column !== 'string') {
    const field = renamePath(renaming, column.field);
    return field === null ? null : { ...column, field };
  }
  const name = column.replace(/[!*]+$/, '');
  const next = renamePath(renaming, name);
  return next === null ? null : next + column.slice(name.length);
}

/** Filters by their fields; those of a parameter stay. Names after `$form.` refer to other filters. */
function renameFilters(renaming: Renaming, filters: Filters, { parameters = {}, fields }: Source): Filters {
  const isField = (name: string) => !Object.hasOwn(parameters, name);
  const made = new Map<string, string | null>();
  for (const [name, filter] of Object.entries(filters)) {
    const field = filter.field ?? name;
    const next = isField(field) ? renaming.mapName(field) : field;
    made.set(name, next === null ? null : filter.field === undefined ? next : name);
  }
  const among: Renaming = {
    ...renaming,
    mapName: (name) => (made.has(name) ? made.get(name)! : renaming.mapName(name)),
  };
  const result: Filters = {};
  for (const [name, filter] of Object.entries(filters)) {
    const next = made.get(name);
    if (next === null || next === undefined) continue;
    const target = fields[filter.field ?? name]?.to;
    result[next] = replaceValues(renaming, filter, 'filters', {
      field: (field) => (isField(field) ? renaming.mapName(field) : field),
      choices: (choices) => renameCondition(among, choices, target === renaming.resource, ['$form']),
    });
  }
  return result;
}

function renameCard(renaming: Renaming, card: Card): Card | null {
  const made = replaceValues(renaming, card, 'the card', {
    title: (text) => renameTemplate(renaming, text),
    subtitle: (text) => renameTemplate(renaming, text),
    mark: (mark) => (mark === 'initials' || mark === 'none' ? mark : renamePath(renaming, mark)),
    marks: (marks) => nullIfEmpty(marks.flatMap((mark) => renamePath(renaming, mark) ?? [])),
    lines: (lines) => entries(lines, (line) => renameLine(renaming, line)),
    person: (person) => renaming.mapName(person),
    counts: (counts) =>
      entries(counts, (count) => {
        const field = renaming.mapName(count.field);
        return field === null ? null : { ...count, field };
      }),
  });
  return Object.keys(card).length > 0 && Object.keys(made).length === 0 ? {} : made;
}

/** A line of a card or of a board. */
function renameLine(renaming: Renaming, line: Line): Line | null {
  const field = renamePath(renaming, typeof line === 'string' ? line : line.field);
  return field === null ? null : typeof line === 'string' ? field : { ...line, field };
}

function renameKanban(renaming: Renaming, kanban: NonNullable<ListSource['kanban']>, { requests = {} }: Source) {
  const { request, field: asked } = kanban;
  const sets = request === undefined ? undefined : requests[request]?.sets;
  const isOwn = asked !== undefined && Array.isArray(sets) && sets.includes(asked);
  if (renaming.mapName(kanban.column) === null || (isOwn && renaming.mapName(asked) === null)) return null;
  return replaceValues(renaming, kanban, 'the board', {
    column: (name) => renaming.mapName(name),
    field: (name) => (isOwn ? renaming.mapName(name) : name),
    lines: (lines) => entries(lines, (line) => renameLine(renaming, line)),
    priority: (name) => renaming.mapName(name),
    person: (name) => renaming.mapName(name),
    due: (name) => renaming.mapName(name),
    late: (name) => renaming.mapName(name),
    sum: (name) => renaming.mapName(name),
    counts: (list) => nullIfEmpty(renameNames(renaming, list)),
  });
}

/** Without its first day there is no calendar; without its last day there is no timeline. */
type Calendar = NonNullable<ListSource['calendar']>;
type Timeline = NonNullable<ListSource['timeline']>;

function renameDays<Days extends Calendar | Timeline>(renaming: Renaming, days: Days, label: string): Days | null {
  const needed = label === 'the timeline' ? [days.start, days.end] : [days.start];
  if (needed.some((name) => name !== undefined && renaming.mapName(name) === null)) return null;
  return replaceValues<Partial<Calendar & Timeline>>(renaming, days, label, {
    start: (name) => renaming.mapName(name),
    end: (name) => renaming.mapName(name),
    title: (text) => renameTemplate(renaming, text),
    colour: (name) => renaming.mapName(name),
    person: (name) => renaming.mapName(name),
    group: (name) => renaming.mapName(name),
    done: (when) => renameCondition(renaming, when),
  }) as Days;
}

function renameGallery(renaming: Renaming, gallery: NonNullable<ListSource['gallery']>) {
  return replaceValues(renaming, gallery, 'the gallery', {
    image: (name) => renaming.mapName(name),
    title: (text) => renameTemplate(renaming, text),
    fields: (fields) => nullIfEmpty(fields.flatMap((field) => renamePath(renaming, field) ?? [])),
  });
}

type Tab = NonNullable<ListSource['tabs']>[number];

/** The first tab cannot be `linkOnly`: it is shown when the URL names no tab. */
function withFirstTab(tabs: Tab[] | null): Tab[] | null {
  if (!tabs?.[0]?.linkOnly) return tabs;
  const { linkOnly: _, ...first } = tabs[0];
  return [first, ...tabs.slice(1)];
}

/** A tab whose filter lost a part would show other records, so it is removed. */
function renameTab(renaming: Renaming, tab: Tab, { parameters = {} }: Source): Tab | null {
  const filter = Object.entries(tab.filter).map(
    ([name, value]) => [Object.hasOwn(parameters, name) ? name : renaming.mapName(name), value] as const,
  );
  if (filter.some(([name]) => name === null)) return null;
  return { ...tab, filter: Object.fromEntries(filter) };
}

type View = NonNullable<ListSource['saved']>[number];

/** A view whose filter lost a part would show other records, so it is removed. */
function renameView(renaming: Renaming, view: View, { parameters = {} }: Source): View | null {
  const filter = Object.entries(view.filter ?? {}).map(([name, value]) => {
    if (Object.hasOwn(parameters, name)) return [name, value] as const;
    const [, base = name, end = ''] = /^(.+)(_from|_to)$/.exec(name) ?? [];
    const own = renaming.mapName(name);
    if (own !== name || end === '') return [own, value] as const;
    const next = renaming.mapName(base);
    return [next === null ? null : next + end, value] as const;
  });
  if (filter.some(([name]) => name === null)) return null;
  return replaceValues(
    renaming,
    { ...view, ...(view.filter && { filter: Object.fromEntries(filter) as View['filter'] }) },
    'views of the list',
    {
      sort: (sort) => renameSort(renaming, sort),
      group: (group) => renameGrouping(renaming, group),
      columns: (columns) => nullIfEmpty(columns.flatMap((column) => renamePath(renaming, column) ?? [])),
    },
  );
}

type ChartSource = NonNullable<ListSource['charts']>[number];

/** A chart that lost a field or its condition would show other figures, so it is removed. */
function renameChart(renaming: Renaming, chart: ChartSource): ChartSource | null {
  const made = { ...chart };
  for (const key of ['group', 'by', 'sum', 'avg'] as const) {
    const name = chart[key];
    const next = name === undefined ? undefined : renaming.mapName(name);
    if (next === null) return null;
    if (next !== undefined) made[key] = next;
  }
  if (!chart.where) return made;
  const where = renameCondition(renaming, chart.where);
  return where ? { ...made, where } : null;
}

function renameSort(renaming: Renaming, sort: string): string | null {
  const name = renaming.mapName(sort.replace(/^-/, ''));
  return name === null ? null : sort.startsWith('-') ? `-${name}` : name;
}

type Action = Exclude<NonNullable<ListSource['actions']>[number], string>;

function renameAction(renaming: Renaming, action: Action): Action {
  return replaceValues(renaming, action, `the action "${action.label ?? action.name}"`, {
    visible: (one) => renameCondition(renaming, one),
    visibleOnRecord: (one) => renameCondition(renaming, one),
    screen: (screen) => renameTemplate(renaming, screen),
    goTo: (goTo) =>
      replaceValues(renaming, goTo, '', { filter: (filter) => renameValues(renaming, filter, goTo.resource) }),
    opens: (opens) =>
      replaceValues(renaming, opens, '', {
        values: (values) => renameValues(renaming, values, opens.resource),
        initial: (values) => renameValues(renaming, values, opens.resource),
      }),
    calls: (calls) => replaceValues(renaming, calls, '', { body: (body) => renameValues(renaming, body, '') }),
  });
}

/**
 * Values of another record or list: `$record.…` refers to this resource; the names do only if the target is this
 * resource.
 */
export function renameValues(
  renaming: Renaming,
  values: Readonly<Record<string, unknown>>,
  resource: string,
): Record<string, unknown> {
  const made = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const name = resource === renaming.resource ? renaming.mapName(key) : key;
    const next = renameVariable(renaming, value, ['$record']);
    return name === null || (next === null && value !== null) ? [] : [[name, next]];
  });
  return Object.fromEntries(made);
}
