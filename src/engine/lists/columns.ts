import { Level } from '../definitions/level';
import type { Actor } from '../access/actor';
import { fieldsOfAllRecords, grantedFields } from '../access/access-decision';
import type { Column, Definition } from '../definitions/definition';
import { isFilterable } from './filter-text';
import type { ShownColumn } from './list-state';
import { fieldOf } from '../definitions/accessors';

/** The stored settings of a user's column: the entries of a grid configuration. */
export interface ColumnChoice {
  readonly field: string;
  readonly visibility: boolean;
  readonly filter: boolean;
}

/**
 * The columns that the actor can read, plus the company column for level 1.
 *
 * @example readableColumns(definition, actor).map(({ field }) => field);
 */
export function readableColumns(definition: Definition, actor: Actor): Column[] {
  const readableFields = grantedFields(actor, definition, 'list');
  const columns = definition.list.columns.filter(
    ({ field }) => readableFields.has(field) || isOfEmbed(field, definition),
  );
  const company = definition.fields.site_id;
  if (actor.level !== Level.Installation || !company || columns.some(({ field }) => field === 'site_id'))
    return columns;
  return [...columns, { field: 'site_id', label: company.label, visible: true, fixed: false }];
}

/** Whether a column shows a field of an embed, which the server leaves out for who may not read it. */
const isOfEmbed = (path: string, { fields }: Definition) => path.includes('.') && !Object.hasOwn(fields, path);

/**
 * The sort options of a list without column headers: the definition's choices, otherwise the sortable columns.
 *
 * @example sortFields(definition, actor); // ['name', 'created_at']
 */
export function sortFields(definition: Definition, actor: Actor): readonly string[] {
  const { sortChoices } = definition.list;
  if (sortChoices.length > 0) return sortChoices;
  const readable = fieldsOfAllRecords(actor, definition);
  return readableColumns(definition, actor).flatMap(({ field }) =>
    readable.has(field) && fieldOf(definition, field).sortable ? [field] : [],
  );
}

/**
 * The names of the visible columns: the user's choice, otherwise the defaults. Fixed columns are always visible.
 *
 * @example [...visibleColumnNames(columns, null)]; // those of the definition
 */
export function visibleColumnNames(columns: readonly Column[], choices: readonly ColumnChoice[] | null): Set<string> {
  const visibilities = new Map(choices?.map(({ field, visibility }) => [field, visibility]));
  const shownColumns = columns.filter((column) => column.fixed || (visibilities.get(column.field) ?? column.visible));
  // An old choice may name only columns that no longer exist.
  return new Set(
    (shownColumns.length > 0 ? shownColumns : columns.filter(({ visible }) => visible)).map(({ field }) => field),
  );
}

/**
 * A view's columns as a user's choice: these are visible, and no others but fixed ones.
 *
 * @example choicesOfShown(columns, [{ field: 'name', width: 240 }]);
 */
export function choicesOfShown(columns: readonly Column[], shownColumns: readonly ShownColumn[]): ColumnChoice[] {
  const shownNames = new Set(shownColumns.map(({ field }) => field));
  return columns.map(({ field }) => ({ field, visibility: shownNames.has(field), filter: true }));
}

/**
 * Visible columns in the order and with the widths of a view; what it does not name follows.
 *
 * @example arrangeColumns(columns, [{ field: 'code', width: 120 }, { field: 'name' }])[0]?.field; // 'code'
 */
export function arrangeColumns(columns: readonly Column[], shownColumns: readonly ShownColumn[] | undefined): Column[] {
  if (!shownColumns) return [...columns];
  const positions = new Map(shownColumns.map((shownColumn, index) => [shownColumn.field, { index, ...shownColumn }]));
  const placeOf = ({ field }: Column) => positions.get(field)?.index ?? shownColumns.length;
  return columns
    .map((column) => ({ ...column, width: positions.get(column.field)?.width ?? column.width }))
    .sort((left, right) => placeOf(left) - placeOf(right));
}

/**
 * The settings to store for a choice. Whether a column offers a filter stays as in `storedChoices`.
 *
 * @example toColumnChoices(columns, new Set(['name']), definition, null);
 */
export function toColumnChoices(
  columns: readonly Column[],
  shownNames: ReadonlySet<string>,
  definition: Definition,
  storedChoices: readonly ColumnChoice[] | null,
): ColumnChoice[] {
  const storedFilters = new Map(storedChoices?.map(({ field, filter }) => [field, filter]));
  return columns.map(({ field }) => ({
    field,
    visibility: shownNames.has(field),
    filter:
      storedFilters.get(field) ??
      (definition.fields[field] ? isFilterable(definition.fields[field]) : field.includes('.')),
  }));
}
