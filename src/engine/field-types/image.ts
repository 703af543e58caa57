import { isEqualJson } from '../validation/equal-values';
import type { FieldType } from './field-type';

/** What a picture may be, by the type that its content tells. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Bytes that a picture may have. */
export const imageLimit = 5 * 1024 * 1024;

/** What is said of a picture that is too large, or that is none. */
export const imageLimitMessage = (label: string) => `${label} must be at most 5 MB.`;
export const imageTypeMessage = (label: string) => `${label} must be a picture: jpg, jpeg, png or webp.`;

/** A picture as answers carry it; the address is short-lived. */
export interface Picture {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly url: string;
}

/** Whether a value is a picture as answers carry it. */
export function isPicture(value: unknown): value is Picture {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}

/** Of a picture or, as history keeps it, its name. */
function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const named = typeof value === 'object' && value !== null && 'name' in value;
  return named && typeof value.name === 'string' ? value.name : '';
}

/**
 * One picture: `{name, size, type, key}` is stored, `{name, size, type, url}` answered. Sent as a file of a form; null
 * takes it away, and what was answered means that it stays.
 */
export const image: FieldType = {
  column: 'jsonb',
  schema: () => ({}),
  parse: (value) => (value === '' ? null : value),
  fromText: () => undefined,
  toText: nameOf,
  same: isEqualJson,
  kept: nameOf,
  searchable: false,
  sortable: false,
  filterable: false,
  ranged: false,
  width: 'full',
};
