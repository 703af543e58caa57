import type { Definition, Field, FieldOf } from '../definitions/definition';
import { lastOf, firstOf } from '../values/lookups';

/** A file in a response; its URL expires soon. */
export interface FileValue {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its type, by its content: `image/png`. */
  readonly type: string;
  readonly url: string;
}

/** The properties of every file, in responses and as it is stored. */
export type NamedFile = Pick<FileValue, 'name' | 'size' | 'type'>;

/**
 * Whether a value is a file as in responses.
 *
 * @example isFileValue({ url: '/api/files/3' }); // true
 */
export function isFileValue(value: unknown): value is FileValue {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}

/**
 * Whether every browser shows a file of this type as a picture: such files are sent to be shown, all others to be saved.
 *
 * @example isShownPicture({ type: 'image/gif' }); // true
 */
export function isShownPicture({ type }: { readonly type: string }): boolean {
  return ['image/png', 'image/jpeg', 'image/webp', 'image/gif'].includes(type);
}

/**
 * The files of a field's value, in responses or as stored: one, several or none.
 *
 * @example filesIn(record.photos).length; // 3
 */
export function filesIn<One extends NamedFile = FileValue>(value: unknown): readonly One[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((file): file is One => typeof file === 'object' && file !== null && 'name' in file);
}

/**
 * Whether the values of a field are files that are stored beside its record: one, or several.
 *
 * @example isFileField(field) && filesIn(record[field.name]);
 */
export function isFileField(field: Field): field is FieldOf<'image' | 'files'> {
  return field.type === 'image' || field.type === 'files';
}

/**
 * The fields of a definition whose values are files.
 *
 * @example fileFields(assets).map(({ name }) => name); // ['picture', 'photos']
 */
export function fileFields({ fields }: Pick<Definition, 'fields'>): FieldOf<'image' | 'files'>[] {
  return Object.values(fields).filter(isFileField);
}

/**
 * The key of the file that a URL leads to. URLs of one file differ, for they expire.
 *
 * @example fileKeyOf('/api/files/7f3a.png?expires=1'); // '7f3a.png'
 */
export function fileKeyOf(url: string): string {
  return lastOf(firstOf(url.split('?', 1)).split('/'));
}
