import type { Field, FieldOf } from '../definitions/definition';
import { isEqualJson } from '../values/equal-values';
import { isEmpty } from '../values/is-empty';
import type { FieldType } from './field-type';
import { image } from './image';
import { fileKeyOf, filesIn, type NamedFile } from './stored-files';

/** The greatest size that a definition can allow, in bytes. */
export const greatestFileSize = 100 * 1024 * 1024;
/** The greatest size of all files of one form together, in bytes; more are sent one by one, before their record. */
export const greatestFormSize = 128 * 1024 * 1024;
/** The greatest number of files that a definition can allow. */
export const greatestFileCount = 100;

/**
 * Several files, in their order: stored as a list of `{name, size, type, key}`, returned as one of `{name, size, type, url}`,
 * null where there is none. The value that is sent is the whole list: files of a form, and those that are kept or were
 * uploaded before, as they were returned.
 */
export const files: FieldType<FieldOf<'files'>> = {
  ...image,
  normalise: ({ accept, maxItems = 20, maxSize, ...source }) => ({
    ...source,
    accept: accept ?? ['*/*'],
    maxItems,
    maxBytes: sizeInBytes(maxSize ?? '10 MB'),
  }),
  schema: ({ maxItems }) => ({ type: 'array', items: { type: 'object' }, maxItems }),
  parse: (value) => (isEmpty(value) ? null : value),
  toText: (value) => namesIn(value).join(', '),
  isEqual: (left, right) => isEqualJson(identities(left), identities(right)),
  toHistory: (value) => value && namesIn(value),
};

/**
 * The names of files, or of those that the history has.
 *
 * @example namesIn([{ name: 'a.png', size: 1, type: 'image/png' }]); // ['a.png']
 */
export function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  return filesIn(value).map(({ name }) => name);
}

/** The keys that tell the files of a value apart, in their order. */
function identities(value: unknown): readonly unknown[] {
  return filesIn<NamedFile & { key?: string; url?: string }>(value).map(
    (file) => file.key ?? (file.url && fileKeyOf(file.url)) ?? file,
  );
}

/** A size as definitions write it, such as `25 MB`, in bytes; units are of 1,024. */
const sizeInBytes = (text: string) => parseFloat(text) * (text.endsWith('kB') ? 1024 : 1024 * 1024);

/**
 * A size in bytes, for people.
 *
 * @example formatBytes(3_600_000); // '3.4 MB'
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024
    ? `${Math.round(bytes / 1024)} kB`
    : `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}

/**
 * Whether a field has several files.
 *
 * @example isFiles(field) && field.most;
 */
export function isFiles(field: Field): field is FieldOf<'files'> {
  return field.type === 'files';
}
