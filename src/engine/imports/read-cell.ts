import type { Definition, Field, ImportTool } from '../definitions/definition';
import { fieldTypeOf, sheetTypeOf } from '../field-types';
import { violationMessage } from '../validation/messages';

/** The parsed value of a cell, or what is wrong with it. */
export type CellResult = { readonly value: unknown } | { readonly message: string };

/** The maximum length of a day, number or choice. */
const maxPlainLength = 1_000;

/**
 * Reads a cell's text by the field's type; the caller looks up relations. Empty is null.
 *
 * @example readCell(definition, due, '16-Nov-2026'); // { value: '2026-11-16' }
 */
export function readCell(definition: Definition, field: Field, cell: string, tool?: ImportTool): CellResult {
  const trimmedCell = cell.trim();
  if (trimmedCell === '') return { value: null };
  const text = translateValue(definition, field, trimmedCell, tool) ?? trimmedCell;
  if (text === '') return { value: null };
  if (!fieldTypeOf(field).searchable && text.length > maxPlainLength)
    return { message: violationMessage(field, typeViolation(field)) };
  const read = parseCellText(field, text);
  if (read !== undefined) return { value: read };
  const message = sheetTypeOf(field).cellProblem?.(text, field) ?? violationMessage(field, typeViolation(field));
  return { message };
}

/**
 * Whether a cell has a valid value of its field without any translation.
 *
 * @example isExactValue(due, '2026-11-16'); // true
 */
export function isExactValue(field: Field, cell: string): boolean {
  return parseCellText(field, cell.trim()) !== undefined;
}

/**
 * Translates a value of another program: first by the mapping of the program that wrote the file, then by the column's.
 * An empty result means no value; undefined: no translation.
 *
 * @example translateValue(definition, priority, 'P1', tool); // 'Urgent'
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
    const translation = Object.entries(values ?? {}).find(([word]) => word.toLowerCase() === lower);
    if (translation) return translation[1];
  }
  return undefined;
}

function parseCellText(field: Field, text: string): unknown {
  const { fromCell = fieldTypeOf(field).fromText } = sheetTypeOf(field);
  return fromCell(text, field);
}

/** The violation of a text that is no value of the type at all, so a text for a whole number is no number. */
function typeViolation(field: Field): { keyword: string; limit?: string } {
  const { type, format, enum: values } = fieldTypeOf(field).schema(field);
  if (values) return { keyword: 'enum' };
  if (format) return { keyword: 'format', limit: format };
  return { keyword: 'type', limit: type === 'integer' ? 'number' : type };
}
