import type { ListSource, Source } from '../definitions/source';
import { condition } from './renamed-conditions';
import { entries, filled, keys, names, path, template, variable, type Renaming } from './renaming';

type Card = NonNullable<ListSource['card']>;
type Line = NonNullable<Card['lines']>[number];
type Filters = NonNullable<ListSource['filters']>;

/** The labels of the parts of a list. */
const places: Readonly<Record<string, string>> = {
  sort: 'the sort order',
  columns: 'columns',
  sortChoices: 'the sort order',
  bulkEdit: 'bulk editing',
  filters: 'filters',
  card: 'the card',
  tabs: 'tabs of the list',
  actions: 'row actions',
  kanban: 'the board',
  highlight: 'the highlight',
};

/** The list of a definition with renamed fields. */
export function renamedList(renaming: Renaming, list: ListSource, source: Source): ListSource {
  const made = keys(renaming, list, places, {
    sort: (sort) => {
      const name = renaming.name(sort.replace(/^-/, ''));
      return name === null ? null : sort.startsWith('-') ? `-${name}` : name;
    },
    columns: (columns) => entries(columns, (column) => renamedColumn(renaming, column)),
    sortChoices: (choices) => filled(names(renaming, choices)),
    bulkEdit: (fields) => filled(names(renaming, fields)),
    filters: (filters) => filled(renamedFilters(renaming, filters, source)),
    card: (card) => renamedCard(renaming, card),
    tabs: (tabs) => withFirstTab(entries(tabs, (tab) => renamedTab(renaming, tab, source))),
    actions: (actions) => actions.map((one) => (typeof one === 'string' ? one : renamedAction(renaming, one))),
    kanban: (kanban) => renamedKanban(renaming, kanban, source),
    highlight: (highlight) => {
      const when = condition(renaming, highlight.when);
      return when && { ...highlight, when };
    },
  });
  if (made.kanban || !made.views) return made;
  return keys(renaming, made, '', { views: (views) => filled(views.filter((view) => view !== 'kanban')) });
}

type Column = NonNullable<ListSource['columns']>[number];

function renamedColumn(renaming: Renaming, column: Column): Column | null {
  if (typeof column !== 'string') {
    const field = path(renaming, column.field);
    return field === null ? null : { ...column, field };
  }
  const name = column.replace(/[!*]+$/, '');
  const next = path(renaming, name);
  return next === null ? null : next + column.slice(name.length);
}

/** Filters by their fields; those of a parameter stay. Names after `$form.` refer to other filters. */
function renamedFilters(renaming: Renaming, filters: Filters, { parameters = {}, fields }: Source): Filters {
  const isField = (name: string) => !Object.hasOwn(parameters, name);
  const made = new Map<string, string | null>();
  for (const [name, filter] of Object.entries(filters)) {
    const field = filter.field ?? name;
    const next = isField(field) ? renaming.name(field) : field;
    made.set(name, next === null ? null : filter.field === undefined ? next : name);
  }
  const among: Renaming = { ...renaming, name: (name) => (made.has(name) ? made.get(name)! : renaming.name(name)) };
  const result: Filters = {};
  for (const [name, filter] of Object.entries(filters)) {
    const next = made.get(name);
    if (next === null || next === undefined) continue;
    const target = fields[filter.field ?? name]?.to;
    result[next] = keys(renaming, filter, 'filters', {
      field: (field) => (isField(field) ? renaming.name(field) : field),
      choices: (choices) => condition(among, choices, target === renaming.resource, ['$form']),
    });
  }
  return result;
}

function renamedCard(renaming: Renaming, card: Card): Card | null {
  const made = keys(renaming, card, 'the card', {
    title: (text) => template(renaming, text),
    subtitle: (text) => template(renaming, text),
    mark: (mark) => (mark === 'initials' || mark === 'none' ? mark : path(renaming, mark)),
    marks: (marks) => filled(marks.flatMap((mark) => path(renaming, mark) ?? [])),
    lines: (lines) => entries(lines, (line) => renamedLine(renaming, line)),
    person: (person) => renaming.name(person),
    counts: (counts) =>
      entries(counts, (count) => {
        const field = renaming.name(count.field);
        return field === null ? null : { ...count, field };
      }),
  });
  return Object.keys(card).length > 0 && Object.keys(made).length === 0 ? {} : made;
}

/** A line of a card or of a board. */
export function renamedLine(renaming: Renaming, line: Line): Line | null {
  const field = path(renaming, typeof line === 'string' ? line : line.field);
  return field === null ? null : typeof line === 'string' ? field : { ...line, field };
}

function renamedKanban(renaming: Renaming, kanban: NonNullable<ListSource['kanban']>, { requests = {} }: Source) {
  const isOwn = requests[kanban.request]?.sets?.includes(kanban.field) ?? false;
  if (renaming.name(kanban.column) === null || (isOwn && renaming.name(kanban.field) === null)) return null;
  return keys(renaming, kanban, 'the board', {
    column: (name) => renaming.name(name),
    field: (name) => (isOwn ? renaming.name(name) : name),
    lines: (lines) => entries(lines, (line) => renamedLine(renaming, line)),
    priority: (name) => renaming.name(name),
    person: (name) => renaming.name(name),
    due: (name) => renaming.name(name),
    late: (name) => renaming.name(name),
    counts: (list) => filled(names(renaming, list)),
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
function renamedTab(renaming: Renaming, tab: Tab, { parameters = {} }: Source): Tab | null {
  const filter = Object.entries(tab.filter).map(
    ([name, value]) => [Object.hasOwn(parameters, name) ? name : renaming.name(name), value] as const,
  );
  if (filter.some(([name]) => name === null)) return null;
  return { ...tab, filter: Object.fromEntries(filter) };
}

type Action = Exclude<NonNullable<ListSource['actions']>[number], string>;

function renamedAction(renaming: Renaming, action: Action): Action {
  return keys(renaming, action, `the action "${action.label ?? action.name}"`, {
    visible: (one) => condition(renaming, one),
    visibleOnRecord: (one) => condition(renaming, one),
    goTo: (goTo) => keys(renaming, goTo, '', { filter: (filter) => renamedValues(renaming, filter, goTo.resource) }),
    opens: (opens) =>
      keys(renaming, opens, '', { values: (values) => renamedValues(renaming, values, opens.resource) }),
    calls: (calls) => keys(renaming, calls, '', { body: (body) => renamedValues(renaming, body, '') }),
  });
}

/**
 * Values of another record or list: `$record.…` refers to this resource; the names do only if the target is this
 * resource.
 */
export function renamedValues(
  renaming: Renaming,
  values: Readonly<Record<string, unknown>>,
  resource: string,
): Record<string, unknown> {
  const made = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const name = resource === renaming.resource ? renaming.name(key) : key;
    const next = variable(renaming, value, ['$record']);
    return name === null || (next === null && value !== null) ? [] : [[name, next]];
  });
  return Object.fromEntries(made);
}
