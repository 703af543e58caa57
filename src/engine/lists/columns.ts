import type { Actor } from '../access/actor';
import { grantedFields } from '../access/decide';
import type { Column, Definition } from '../definitions/definition';
import { filters } from './filter-text';

/** What is kept of a column for a user: the entries of a grid configuration. */
export interface ColumnChoice {
  readonly field: string;
  readonly visibility: boolean;
  readonly filter: boolean;
}

/** The columns that the actor may read; whoever sees several companies gets the company's too. */
export function listColumns(definition: Definition, actor: Actor): Column[] {
  const allowed = grantedFields(actor, definition, 'list');
  const columns = definition.list.columns.filter(({ field }) => allowed.has(field) || field.includes('.'));
  const company = definition.fields.site_id;
  if (actor.level !== 1 || !company || columns.some(({ field }) => field === 'site_id')) return columns;
  return [...columns, { field: 'site_id', label: company.label, visible: true, fixed: false }];
}

/** What a list without column heads is ordered by: the definition's choices, else the columns that sort. */
export function sortFields(definition: Definition, actor: Actor): readonly string[] {
  const { sortChoices } = definition.list;
  if (sortChoices.length > 0) return sortChoices;
  return listColumns(definition, actor).flatMap(({ field }) => (definition.fields[field]?.sortable ? [field] : []));
}

/** The names of the columns that are shown: as the user chose, else as the definition says. Fixed ones always are. */
export function shownColumns(columns: readonly Column[], choices: readonly ColumnChoice[] | null): Set<string> {
  const chosen = new Map(choices?.map(({ field, visibility }) => [field, visibility]));
  const shown = columns.filter((column) => column.fixed || (chosen.get(column.field) ?? column.visible));
  // A choice of another time may name only columns that are no more.
  return new Set((shown.length > 0 ? shown : columns.filter(({ visible }) => visible)).map(({ field }) => field));
}

/** What is to be kept of a choice. Whether a column offers a filter stays as it was `stored`. */
export function columnChoices(
  columns: readonly Column[],
  shown: ReadonlySet<string>,
  definition: Definition,
  stored: readonly ColumnChoice[] | null,
): ColumnChoice[] {
  const before = new Map(stored?.map(({ field, filter }) => [field, filter]));
  return columns.map(({ field }) => ({
    field,
    visibility: shown.has(field),
    filter: before.get(field) ?? (definition.fields[field] ? filters(definition.fields[field]) : field.includes('.')),
  }));
}
