import type { Field, FieldOf } from '../definitions/definition';
import { isEqualJson } from '../values/equal-values';
import type { FieldType } from './field-type';

/** The allowed types of an image, detected from its content. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** The maximum size in bytes. */
export const maxImageBytes = 5 * 1024 * 1024;

/** Messages for an image that is too large or has another type. */
export const imageTooLargeMessage = (label: string) => `${label} must be at most 5 MB.`;
export const imageTypeMessage = (label: string) => `${label} must be a JPG, PNG or WebP image.`;

/** The name of an image, or of one as stored in the history. */
function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const hasName = typeof value === 'object' && value !== null && 'name' in value;
  return hasName && typeof value.name === 'string' ? value.name : '';
}

/**
 * One image: stored as `{name, size, type, key}`, returned as `{name, size, type, url}`. Sent as a file of a form; null
 * removes it, and sending the returned value keeps it.
 */
export const image: FieldType = {
  holds: 'object',
  column: 'jsonb',
  schema: () => ({}),
  parse: (value) => (value === '' ? null : value),
  fromText: () => undefined,
  toText: nameOf,
  isEqual: isEqualJson,
  toHistory: nameOf,
  searchable: false,
  sortable: false,
  filterable: false,
  hasRangeFilter: false,
  onlyPresence: true,
  isImportable: false,
  inDefaultColumns: true,
  width: 'full',
};

/** Whether a field has a picture. */
export function isImage(field: Field): field is FieldOf<'image'> {
  return field.type === 'image';
}
