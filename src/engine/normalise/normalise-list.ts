import { fieldTypeOf } from '../field-types';
import { hasPeriods } from '../lists/groupable';
import type {
  Chart,
  Column,
  Field,
  Filter,
  Kanban,
  ListDefinition,
  RequestDefinition,
  RowAction,
} from '../definitions/definition';
import { exportFileNameOf, labelOf } from '../definitions/labels';
import type { KanbanSource, ListSource, Source } from '../language/source';

/** The list with every default filled in: all fields without long text as columns, and a default sort order. */
export function normaliseList(
  source: Source,
  fields: Readonly<Record<string, Field>>,
  titleField: string,
  requests: Readonly<Record<string, RequestDefinition>>,
): ListDefinition {
  const list = source.list ?? {};
  const columns = (list.columns ?? defaultColumns(fields)).map((column) => normaliseColumn(column, fields));
  const hasVisibleColumn = columns.some((column) => column.visible);
  const filters = Object.entries(list.filters ?? {});
  return {
    columns: hasVisibleColumn ? columns : columns.map((column) => ({ ...column, visible: true })),
    rowClick: list.rowClick ?? (source.page ? 'page' : 'none'),
    sort: normaliseSort(list.sort ?? '-id'),
    sortChoices: list.sortChoices ?? [],
    filters: filters.map(([name, filterSource]) => normaliseFilter(name, filterSource, source, fields)),
    views: list.views ?? ['list'],
    ...(list.card && { card: normaliseCard(list.card, titleField) }),
    ...(list.kanban && { kanban: normaliseKanban(list.kanban) }),
    ...(list.group && { group: list.group }),
    ...(list.totals && { totals: list.totals }),
    ...(list.calendar && { calendar: { label: 'Calendar', ...list.calendar } }),
    ...(list.timeline && { timeline: { label: 'Timeline', ...list.timeline } }),
    ...(list.gallery && {
      gallery: { label: 'Gallery', fields: [], menu: ['edit', 'delete'], ...list.gallery },
    }),
    ...(list.tree && { tree: list.tree }),
    tabs: (list.tabs ?? []).map((tab) => ({ export: exportFileNameOf(source.name), linkOnly: false, ...tab })),
    saved: (list.saved ?? []).map(({ name, label, filter, columns, ...settings }) => ({
      name,
      label,
      settings: {
        ...settings,
        ...(filter && { filters: filter }),
        ...(columns && { columns: columns.map((field) => ({ field })) }),
      },
    })),
    charts: (list.charts ?? []).map((chart) => normaliseChart(chart, fields)),
    actions: (list.actions ?? (source.archive ? ['edit', 'unarchive', 'delete'] : ['edit', 'delete'])).map((action) =>
      normaliseAction(action, requests),
    ),
    actionsWidth: list.actionsWidth ?? 70,
    chooseColumns: list.chooseColumns ?? columns.length > 3,
    search: list.search ?? true,
    highlight: [list.highlight ?? []].flat(),
    bulkEdit: list.bulkEdit ?? [],
    inlineEdit: list.inlineEdit ?? list.bulkEdit ?? [],
    bulkDelete: list.bulkDelete ?? true,
    ...(list.quickAdd && { quickAdd: true }),
    ...(list.emptyText !== undefined && { emptyText: list.emptyText }),
    emptyActions: list.emptyActions ?? ['add', 'import'],
    ...(list.emptyPicture && { emptyPicture: list.emptyPicture }),
    ...(list.emptyCommand !== undefined && { emptyCommand: list.emptyCommand }),
  };
}

function defaultColumns(fields: Readonly<Record<string, Field>>): string[] {
  const isShort = (field: Field) => {
    const { sortable, inDefaultColumns = sortable } = fieldTypeOf(field);
    return inDefaultColumns;
  };
  return [
    'id',
    ...Object.values(fields)
      .filter((field) => !field.system && isShort(field))
      .map((field) => field.name),
  ];
}

/** `name!` cannot be hidden, `name*` is visible by default. If no column is marked, all are visible. */
function normaliseColumn(
  columnSource: NonNullable<ListSource['columns']>[number],
  fields: Readonly<Record<string, Field>>,
): Column {
  const column =
    typeof columnSource === 'string' ? readColumn(columnSource) : { visible: false, fixed: false, ...columnSource };
  return {
    ...column,
    visible: column.visible || column.fixed,
    label: column.label ?? fields[column.field]?.label ?? labelOf(column.field),
  };
}

function readColumn(text: string): { field: string; visible: boolean; fixed: boolean; label?: string } {
  const field = text.replace(/[!*]+$/, '');
  const marks = text.slice(field.length);
  return { field, visible: marks !== '', fixed: marks.includes('!') };
}

function normaliseSort(text: string): ListDefinition['sort'] {
  return text.startsWith('-') ? { field: text.slice(1), order: 'DESC' } : { field: text, order: 'ASC' };
}

function normaliseFilter(
  name: string,
  filterSource: NonNullable<ListSource['filters']>[string],
  source: Source,
  fields: Readonly<Record<string, Field>>,
): Filter {
  const field = filterSource.field ?? name;
  const label = filterSource.label ?? fields[field]?.label ?? source.parameters?.[field]?.label ?? labelOf(field);
  return {
    name,
    field,
    label,
    multiple: filterSource.multiple ?? false,
    range: filterSource.range ?? false,
    ...(filterSource.allLabel && { allLabel: filterSource.allLabel }),
    ...(filterSource.choices && { choices: filterSource.choices }),
  };
}

function normaliseCard(card: NonNullable<ListSource['card']>, titleField: string): ListDefinition['card'] {
  return {
    title: card.title ?? `{${titleField}}`,
    subtitle: card.subtitle,
    mark: card.mark ?? 'initials',
    ...(card.key !== undefined && { key: card.key }),
    marks: card.marks ?? [],
    lines: (card.lines ?? []).map((line) => (typeof line === 'string' ? { field: line } : line)),
    ...(card.person !== undefined && { person: card.person }),
    counts: card.counts ?? [],
    menu: card.menu ?? ['edit', 'delete'],
  };
}

/** Dates are grouped by months unless the chart says otherwise. */
function normaliseChart(
  { sum, avg, step, ...chart }: NonNullable<ListSource['charts']>[number],
  fields: Readonly<Record<string, Field>>,
): Chart {
  const group = chart.group !== undefined && Object.hasOwn(fields, chart.group) ? fields[chart.group] : undefined;
  const isDated = group !== undefined && hasPeriods(group);
  return {
    ...chart,
    ...((step ?? (isDated ? 'month' : undefined)) && { step: step ?? 'month' }),
    take: sum !== undefined ? { of: 'sum', field: sum } : avg !== undefined ? { of: 'avg', field: avg } : 'count',
  };
}

function normaliseKanban(kanban: KanbanSource): Kanban {
  return {
    label: 'Kanban Board',
    counts: [],
    menu: ['edit', 'delete'],
    ...kanban,
    lines: (kanban.lines ?? []).map((line) => (typeof line === 'string' ? { field: line } : line)),
  };
}

const builtInActions: Readonly<Record<string, Omit<RowAction, 'name'>>> = {
  edit: { label: 'Edit', icon: 'pencil' },
  view: { label: 'View', icon: 'eye' },
  delete: { label: 'Delete', icon: 'trash' },
  unarchive: { label: 'Unarchive', icon: 'restore' },
  copy: { label: 'Copy', icon: 'copy' },
};

/** A built-in action, a request of the definition by its name, or a custom action. */
function normaliseAction(
  actionSource: NonNullable<ListSource['actions']>[number],
  requests: Readonly<Record<string, RequestDefinition>>,
): RowAction {
  const action = typeof actionSource === 'string' ? { name: actionSource } : actionSource;
  const request = Object.hasOwn(requests, action.name) ? requests[action.name] : undefined;
  const defaults = { label: request?.label ?? labelOf(action.name), icon: request?.icon ?? 'chevron-right' };
  return {
    ...(builtInActions[action.name] ?? defaults),
    ...action,
    ...(action.goTo && { goTo: { filter: {}, ...action.goTo } }),
    ...(action.opens && { opens: { values: {}, initial: {}, ...action.opens } }),
    ...(action.calls && { calls: { body: {}, permission: 'edit', ...action.calls } }),
    ...(request && { request: action.name }),
  } as RowAction;
}
