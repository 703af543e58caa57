import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { isRows } from '../field-types/rows';
import { isFileField } from '../field-types/stored-files';
import { describeFileChange } from './file-changes';
import { cellAsText, describeRowChanges, rowChanges } from './row-changes';
import { unwrapId } from '../conditions/variables';
import { fieldTypeOf } from '../field-types';

/** A change of a record as returned by `GET r/{id}/history`. */
export interface HistoryEntry {
  /** Of the version that the record had afterwards. */
  readonly id?: number;
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
  readonly event: string;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly created_at: string;
  /** The version that it brought back; the first change is version 1. */
  readonly restored_version?: number;
  /** The titles of the related records in it: field → id → title. */
  readonly names?: RelatedTitles;
}

/** One field of a change. */
export interface FieldChange {
  readonly field: Field;
  readonly old: unknown;
  readonly new: unknown;
  /** Of the related records that still exist; undefined if they were not looked up. */
  readonly titles: Readonly<Record<string, string>> | undefined;
  /** The whole record of the entry on each side: an amount is told with the currency that stands beside it. */
  readonly recordSides?: { readonly old: ResourceRecord; readonly new: ResourceRecord };
}

/** Titles of related records: field → id → title. */
export type RelatedTitles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Stamps, and the company, which never changes: not interesting in a record's history. */
const hiddenFields = new Set(['updated_at', 'updated_by', 'created_at', 'created_by', 'id', 'site_id']);

/**
 * The fields that a change touched and that mean something to its reader, in the definition's order.
 *
 * @example fieldChangesOf(definition, line).map(({ field }) => field.label); // ['Status']
 */
export function fieldChangesOf(definition: Definition, line: HistoryEntry): FieldChange[] {
  const oldValues = line.old_values ?? {};
  const newValues = line.new_values ?? {};
  return Object.values(definition.fields)
    .filter(({ name }) => !hiddenFields.has(name) && (name in oldValues || name in newValues))
    .map((field) => ({
      field,
      old: oldValues[field.name] ?? null,
      new: newValues[field.name] ?? null,
      titles: line.names && (line.names[field.name] ?? {}),
      recordSides: { old: oldValues, new: newValues },
    }))
    .filter((change) => !isEmptyValue(change.old) || !isEmptyValue(change.new));
}

/**
 * One side of a change as text: titles instead of ids, text without markup, what happened to an image; empty for no
 * value.
 *
 * @example describeHistoryValue(change, 'new'); // 'In Progress'
 */
export function describeHistoryValue(
  { field, titles, recordSides, ...sides }: FieldChange,
  side: 'old' | 'new',
): string {
  const value = sides[side];
  const { describeChange, toPlainText, toText } = fieldTypeOf(field);
  const description = describeChange?.(sides, side, field);
  if (description !== undefined) return description;
  if (isFileField(field)) return describeFileChange(field, sides, side);
  if (isRows(field)) return describeRowChanges(rowChanges(field, sides, side, cellText(titles)));
  if (isEmptyValue(value)) return '';
  if (field.to !== undefined)
    return [value]
      .flat()
      .map((member) => titleIn(titles, unwrapId(member)))
      .join(', ');
  if (toPlainText) return toPlainText(value);
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name);
  return toText(value, field, recordSides?.[side]);
}

/**
 * The text of cells of rows: titles of their own columns are under `column:id`.
 *
 * @example cellText({ 'genre_id:4': 'Drama' })(genre, 4); // 'Drama'
 */
export function cellText(titles: FieldChange['titles']): (column: Field, value: unknown) => string {
  return (column, value) => {
    if (column.to === undefined) return cellAsText(column, value);
    const knownTitle = titles?.[`${column.name}:${String(value)}`];
    return knownTitle ?? `#${String(value)}`;
  };
}

/** A related record by its title; a permanently deleted one by its id. */
function titleIn(titles: FieldChange['titles'], id: unknown): string {
  const name = `#${String(id)}`;
  return titles ? (titles[String(id)] ?? `${name} (deleted)`) : name;
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
