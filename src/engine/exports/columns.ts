import { grantedFields } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Column, Definition, NamedExport } from '../definitions/definition';
import { replaceNames, templateFields } from '../definitions/labels';
import type { Registry } from '../registry/registry';
import { rowColumnAt, rowColumnLabel, rowColumnPath, type RowColumn } from '../field-types/row-definition';
import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isRows, ownColumns } from '../field-types/rows';
import { resolveColumn } from '../lists/column-value';
import { readableColumns } from '../lists/columns';
import { firstOf, requireValue } from '../values/lookups';

/** A column of a spreadsheet: the source of its values and its heading. */
export interface ExportColumn {
  /** A field, a path through an embed, or that of a column of rows. */
  readonly path: string;
  readonly heading: string;
  /** A text with names of fields in braces, in place of a path. */
  readonly text?: string;
}

/** The source of a cell: a path, or a text with paths in braces. */
export type CellSource = string | { readonly text: string };

/**
 * The source of the cells of a column.
 *
 * @example cellSource({ path: 'name', heading: 'Name' }); // 'name'
 */
export function cellSource({ path, text }: ExportColumn): CellSource {
  return text === undefined ? path : { text };
}

/**
 * The paths that the cells of a source are read from.
 *
 * @example pathsOfSource({ text: '{key} {company.name}' }); // ['key', 'company.name']
 */
export function pathsOfSource(source: CellSource): readonly string[] {
  return typeof source === 'string' ? [source] : templateFields(source.text);
}

/**
 * The names of the columns that a file has of those that a list shows, in the list's order: these, and some in any case,
 * of which those that no list shows come last.
 *
 * @example exportColumnNames(definition, actor, ({ visible }) => visible); // ['id', 'name', 'project_id']
 */
export function exportColumnNames(
  definition: Definition,
  actor: Actor,
  isShown: (column: Column) => boolean,
): string[] {
  const requiredNames = new Set(definition.export?.columns);
  const columns = readableColumns(definition, actor);
  const listedNames = columns.flatMap((column) =>
    isShown(column) || requiredNames.has(column.field) ? [column.field] : [],
  );
  const readable = grantedFields(actor, definition, 'list');
  const unlistedNames = [...requiredNames].filter(
    (name) => readable.has(name) && !definition.list.columns.some(isOf(name)),
  );
  return [...listedNames, ...unlistedNames];
}

const isOf =
  (name: string) =>
  ({ field }: Column) =>
    field === name;

/**
 * The columns that a list shows unless its reader chose others.
 *
 * @example defaultExportColumns(definition, registry, actor).map(({ heading }) => heading); // ['ID', 'Title', 'Project']
 */
export function defaultExportColumns(definition: Definition, registry: Registry, actor: Actor): ExportColumn[] {
  const names = exportColumnNames(definition, actor, ({ visible }) => visible);
  return names.flatMap((name) => exportColumns(name, definition, registry, actor));
}

/**
 * Every column of the list, followed by every other field that the actor can read, in the definition's order.
 *
 * @example allExportColumns(definition, registry, actor).length;
 */
export function allExportColumns(definition: Definition, registry: Registry, actor: Actor): ExportColumn[] {
  const listedNames = readableColumns(definition, actor).map(({ field }) => field);
  const fields = Object.values(definition.fields).filter((field) => !isInverse(field));
  const names = new Set([...listedNames, ...fields.map(({ name }) => name)]);
  return [...names].flatMap((name) => exportColumns(name, definition, registry, actor));
}

/**
 * The columns of a name: one of the list's, or any other field that the actor can read; a field that holds rows has one
 * for each column of the rows, which `lines.action` names alone. None for an unknown or private name.
 *
 * @example exportColumns('lines.action', definition, registry, actor); // one column; none for a private name
 */
export function exportColumns(
  path: string,
  definition: Definition,
  registry: Registry,
  actor: Actor,
): readonly ExportColumn[] {
  const readable = grantedFields(actor, definition, 'list');
  const ofRows = rowColumnAt(definition, path);
  if (ofRows) return readable.has(ofRows.field.name) ? columnsOfRows([ofRows]) : [];
  const source = resolveColumn(path, definition, registry);
  if (!source || source.field.secret || fieldTypeOf(source.field).isPrivate) return [];
  const listColumn = definition.list.columns.find(({ field }) => field === path);
  if (path.includes('.') && !Object.hasOwn(definition.fields, path))
    return listColumn ? [{ path, heading: listColumn.label }] : [];
  if (!readable.has(path)) return [];
  const { field } = source;
  // A file has inserted rows themselves, so it needs no column that says where they are from.
  if (isRows(field)) return columnsOfRows(ownColumns(field).map((column) => ({ field, column })));
  return [{ path, heading: listColumn?.label ?? field.label }];
}

/**
 * The columns of a named export: all of them for everybody, and those that the actor may not read without values.
 *
 * @example namedExportColumns(definition.exports.accounting, definition, registry, actor).map(({ heading }) => heading);
 */
export function namedExportColumns(
  { columns }: NamedExport,
  definition: Definition,
  registry: Registry,
  actor: Actor,
): ExportColumn[] {
  const readable = grantedFields(actor, definition, 'list');
  const isReadable = (path: string) => readable.has(rootField(definition, path));
  return columns.map(({ field, text, heading }) => {
    if (field === undefined)
      return {
        path: '',
        heading: requireValue(heading, 'the heading of a text column'),
        text: replaceNames(requireValue(text, 'the text of a column'), (path) => (isReadable(path) ? `{${path}}` : '')),
      };
    return { path: isReadable(field) ? field : '', heading: heading ?? headingOf(field, definition, registry) };
  });
}

function headingOf(path: string, definition: Definition, registry: Registry): string {
  const ofRows = rowColumnAt(definition, path);
  if (ofRows) return rowColumnLabel(ofRows);
  const listColumn = definition.list.columns.find(({ field }) => field === path);
  return listColumn?.label ?? resolveColumn(path, definition, registry)?.field.label ?? path;
}

/**
 * The field of the record that has the value at a path, or that it begins with: of `company.name`, the relation that is
 * embedded as `company`.
 *
 * @example rootField(deals, 'company.name'); // 'company_id'
 */
export function rootField(definition: Definition, path: string): string {
  if (Object.hasOwn(definition.fields, path)) return path;
  const head = firstOf(path.split('.'));
  const embedding = Object.values(definition.fields).find(({ embed }) => embed === head);
  return path.includes('.') && embedding ? embedding.name : head;
}

function columnsOfRows(columns: readonly RowColumn[]): ExportColumn[] {
  return columns
    .filter(({ field, column }) => ![field, column].some((part) => part.secret || fieldTypeOf(part).isPrivate))
    .map((rowColumn) => ({ path: rowColumnPath(rowColumn), heading: rowColumnLabel(rowColumn) }));
}
