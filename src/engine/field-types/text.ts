import type { Field } from '../definitions/definition';
import { normaliseText } from '../values/normalise-text';
import type { FieldType, SheetType, ValueSchema } from './field-type';

/** An empty text is none. */
function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = normaliseText(value);
  return text === '' ? null : text;
}

/** Length and pattern as the definition gives them. */
export function textSchema(field: Field): ValueSchema {
  return {
    type: 'string',
    ...(field.minLength !== undefined && { minLength: field.minLength }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...(field.pattern !== undefined && { pattern: field.pattern }),
  };
}

/** A single value as text; empty for objects, which these fields never contain. */
export function scalarText(value: unknown): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** The properties that all types of text have in common. */
export const textValues: FieldType = {
  holds: 'text',
  column: 'text',
  schema: textSchema,
  parse: parseText,
  fromText: (value) => value,
  toText: scalarText,
  searchable: true,
  sortable: true,
  filterable: true,
  hasRangeFilter: false,
  width: 'half',
  maxLength: 255,
};

/** One line of text. */
export const text: FieldType = {
  ...textValues,
  normalise: ({ similar, ...source }) => ({ ...source, ...(similar && { similar }) }),
  computedFrom: 'template',
  isTitle: true,
  isPersonal: true,
  isDetail: true,
  fitsCell: true,
};

export const textSheet: SheetType = {
  example: (field) => `Example of ${field.label}`.slice(0, field.maxLength ?? 100),
};

/**
 * Whether forms point out records whose text in this field is similar.
 *
 * @example fields.filter(isComparedText).map(({ name }) => name); // ['name']
 */
export function isComparedText(field: Field): boolean {
  return 'similar' in field && field.similar === true;
}
