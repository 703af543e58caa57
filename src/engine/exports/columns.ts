import { grantedFields } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Column, Definition } from '../definitions/definition';
import type { Registry } from '../definitions/registry';
import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { resolveColumn } from '../lists/column-value';
import { readableColumns } from '../lists/columns';

/** A column of a spreadsheet: the source of its values and its heading. */
export interface ExportColumn {
  /** A field, or a path through an embed. */
  readonly path: string;
  readonly heading: string;
}

/** The names of the columns that a file has of those that a list shows, in the list's order: these, and some in any case. */
export function exportColumnNames(
  definition: Definition,
  actor: Actor,
  isShown: (column: Column) => boolean,
): string[] {
  const always = new Set(definition.export?.columns);
  return readableColumns(definition, actor).flatMap((column) =>
    isShown(column) || always.has(column.field) ? [column.field] : [],
  );
}

/** The columns that a list shows unless its reader chose others. */
export function defaultExportColumns(definition: Definition, registry: Registry, actor: Actor): ExportColumn[] {
  const names = exportColumnNames(definition, actor, ({ visible }) => visible);
  return names.flatMap((name) => exportColumn(name, definition, registry, actor) ?? []);
}

/** Every column of the list, followed by every other field that the actor can read, in the definition's order. */
export function allExportColumns(definition: Definition, registry: Registry, actor: Actor): ExportColumn[] {
  const listed = readableColumns(definition, actor).map(({ field }) => field);
  const others = Object.values(definition.fields).filter((field) => !isInverse(field));
  const names = new Set([...listed, ...others.map(({ name }) => name)]);
  return [...names].flatMap((name) => exportColumn(name, definition, registry, actor) ?? []);
}

/**
 * The column of a name: one of the list's, or any other field that the actor can read. Undefined for an unknown or
 * private name.
 */
export function exportColumn(
  path: string,
  definition: Definition,
  registry: Registry,
  actor: Actor,
): ExportColumn | undefined {
  const source = resolveColumn(path, definition, registry);
  if (!source || source.field.secret || fieldTypeOf(source.field).isPrivate) return undefined;
  const listed = definition.list.columns.find(({ field }) => field === path);
  if (path.includes('.')) return listed && { path, heading: listed.label };
  if (!grantedFields(actor, definition, 'list').has(path)) return undefined;
  return { path, heading: listed?.label ?? source.field.label };
}
