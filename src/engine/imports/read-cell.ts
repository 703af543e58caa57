import type { Definition, Field, ImportTool } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { isDate } from '../formats/dates';
import { violationMessage } from '../validation/messages';

/** The parsed value of a cell, or what is wrong with it. */
export type CellResult = { readonly value: unknown } | { readonly message: string };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The maximum length of a day, number or choice. */
const maxPlainLength = 1_000;

/** Reads a cell's text by the field's type; the caller looks up relations. Empty is null. */
export function readCell(definition: Definition, field: Field, cell: string, tool?: ImportTool): CellResult {
  const trimmed = cell.trim();
  if (trimmed === '') return { value: null };
  const text = translateValue(definition, field, trimmed, tool) ?? trimmed;
  if (text === '') return { value: null };
  if (!fieldTypeOf(field).searchable && field.type !== 'richText' && text.length > maxPlainLength)
    return { message: violationMessage(field, typeViolation(field)) };
  const read = parseCellText(field, text);
  return read === undefined ? { message: violationMessage(field, typeViolation(field)) } : { value: read };
}

/** Whether a cell has a valid value of its field without any translation. */
export function isExactValue(field: Field, cell: string): boolean {
  return parseCellText(field, cell.trim()) !== undefined;
}

/**
 * Translates a value of another program: first by the mapping of the program that wrote the file, then by the column's.
 * An empty result means no value; undefined: no translation.
 */
export function translateValue(
  definition: Definition,
  { name }: Field,
  text: string,
  tool: ImportTool | undefined,
): string | undefined {
  const lower = text.toLowerCase();
  const ofAll = definition.import?.columns.find(({ field }) => field === name)?.values;
  for (const values of [tool?.values[name], ofAll]) {
    const word = Object.keys(values ?? {}).find((one) => one.toLowerCase() === lower);
    if (word !== undefined) return values![word]!;
  }
  return undefined;
}

function parseCellText(field: Field, text: string): unknown {
  const type = fieldTypeOf(field);
  switch (field.type) {
    case 'date':
      return parseCellDay(text);
    case 'datetime':
      return type.fromText(text, field) ?? parseCellInstant(text);
    case 'number':
      return type.fromText(/^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text, field);
    case 'select':
      return (
        field.options?.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value ??
        type.fromText(text, field)
      );
    case 'richText':
      return textToMarkup(text);
    default:
      return type.fromText(text, field);
  }
}

/** `2026-11-16`, `16-11-2026` or `16-Nov-2026`, optionally followed by a time. */
function parseCellDay(text: string): string | undefined {
  const day = text.replace(/[T ]\d{1,2}:\d{2}.*$/, '');
  if (isDate(day)) return day;
  const match = /^(\d{1,2})[-./](\d{1,2}|[A-Za-z]{3})[-./](\d{4})$/.exec(day);
  if (!match) return undefined;
  const month = /^\d/.test(match[2]!) ? Number(match[2]) : months.indexOf(match[2]!.toLowerCase()) + 1;
  const read = `${match[3]}-${String(month).padStart(2, '0')}-${match[1]!.padStart(2, '0')}`;
  return isDate(read) ? read : undefined;
}

function parseCellInstant(text: string): string | undefined {
  const day = parseCellDay(text);
  if (day === undefined) return undefined;
  const time = /[T ](\d{1,2}):(\d{2})/.exec(text);
  return time ? `${day}T${time[1]!.padStart(2, '0')}:${time[2]}:00.000Z` : `${day}T00:00:00.000Z`;
}

/** Plain text as paragraphs; markup is escaped. */
function textToMarkup(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .split(/\r?\n/)
    .map((line) => `<p>${line}</p>`)
    .join('');
}

function typeViolation(field: Field): { keyword: string; limit?: string } {
  if (field.type === 'date') return { keyword: 'format', limit: 'date' };
  if (field.type === 'datetime') return { keyword: 'format', limit: 'date-time' };
  if (field.type === 'time') return { keyword: 'format', limit: 'time' };
  if (field.type === 'select') return { keyword: 'enum' };
  return { keyword: 'type', limit: field.type };
}
