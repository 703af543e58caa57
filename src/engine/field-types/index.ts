import { requireValue } from '../values/lookups';
import type { Field, FieldOf, FieldTypeName } from '../definitions/definition';
import { addedTypeKeys, type TypeKeys } from '../language/field-types/type-keys';
import { boolean, booleanSheet } from './boolean';
import { date, dateSheet } from './date';
import { datetime, datetimeSheet } from './datetime';
import { duration, durationSheet } from './duration';
import { email, emailSheet } from './email';
import type { ColumnType, FieldType, SheetType } from './field-type';
import { files } from './files';
import { icon } from './icon';
import { image } from './image';
import { inverse } from './inverse';
import { json } from './json';
import { lookup } from './lookup';
import { money, moneySheet } from './money';
import { integerLimit, isWide, number, numberSheet } from './number';
import { password } from './password';
import { permissions } from './permissions';
import { phone, phoneSheet } from './phone';
import { relation } from './relation';
import { relations } from './relations';
import { richText, richTextSheet } from './rich-text';
import { rollup } from './rollup';
import { rows } from './rows';
import { select, selectSheet } from './select';
import { sequence } from './sequence';
import { shareLink } from './share-link';
import { text, textSheet } from './text';
import { textarea } from './textarea';
import { time, timeSheet } from './time';
import { url, urlSheet } from './url';

const builtIn: { readonly [Name in FieldTypeName]: FieldType<FieldOf<Name>> } = {
  text,
  textarea,
  richText,
  number,
  money,
  boolean,
  date,
  time,
  datetime,
  email,
  url,
  phone,
  password,
  select,
  icon,
  relation,
  relations,
  inverse,
  json,
  permissions,
  image,
  files,
  duration,
  shareLink,
  sequence,
  lookup,
  rollup,
  rows,
};

/** The registry of field types by name: what depends on a field's type is looked up here. */
export const fieldTypes: Readonly<Record<FieldTypeName, FieldType>> = { ...builtIn };

/**
 * The type of a field.
 *
 * @example fieldTypeOf({ type: 'date' }).holds; // 'day'
 */
export function fieldTypeOf(field: Pick<Field, 'type'>): FieldType {
  return fieldTypes[field.type];
}

/**
 * The type of a field as written, which is text by default. A type that does not exist counts as text too.
 *
 * @example writtenTypeOf({}) === fieldTypeOf({ type: 'text' }); // true
 */
export function writtenTypeOf({ type = 'text' }: { readonly type?: FieldTypeName | undefined }): FieldType {
  return Object.hasOwn(fieldTypes, type) ? fieldTypes[type] : text;
}

/**
 * The names of the types that a test selects.
 *
 * @example typeNamesWhere((type) => type.isHashed === true); // ['password']
 */
export function typeNamesWhere(test: (type: FieldType, name: FieldTypeName) => boolean): readonly FieldTypeName[] {
  return (Object.keys(fieldTypes) as FieldTypeName[]).filter((name) => test(fieldTypes[name], name));
}

const builtInSheets: { readonly [Name in FieldTypeName]?: SheetType<FieldOf<Name>> } = {
  text: textSheet,
  textarea: textSheet,
  richText: richTextSheet,
  number: numberSheet,
  money: moneySheet,
  boolean: booleanSheet,
  date: dateSheet,
  time: timeSheet,
  datetime: datetimeSheet,
  email: emailSheet,
  url: urlSheet,
  phone: phoneSheet,
  select: selectSheet,
  duration: durationSheet,
};

const sheetTypes: Record<string, SheetType> = { ...builtInSheets };

/**
 * How a field is written to spreadsheets and read from them; empty if as its text.
 *
 * @example sheetTypeOf({ type: 'date' }); // how its cells are written and read
 */
export function sheetTypeOf(field: Pick<Field, 'type'>): SheetType {
  return sheetTypes[field.type] ?? {};
}

/**
 * A field type of a product: what the engine knows about it, the keys that definitions can have for it, and how spreadsheets
 * have it if not as its text.
 */
export interface AddedFieldType {
  readonly type: FieldType;
  readonly language: TypeKeys;
  readonly sheet?: SheetType;
}

/**
 * Adds the field types of a product by their names, before its definitions are read; the browser adds them too. Returns
 * a function that removes them. Throws if there is another type of a name.
 *
 * @example
 * registerFieldTypes({ rating: { type: { ...fieldTypes.number, column: 'integer' }, language: typeKeys({ keys: {} }) } });
 */
export function registerFieldTypes(addedTypes: Readonly<Record<string, AddedFieldType>>): () => void {
  const types: Record<string, FieldType> = fieldTypes;
  const names = Object.keys(addedTypes);
  const usedName = names.find((name) => Object.hasOwn(types, name));
  if (usedName !== undefined) throw new Error(`There is already a field type "${usedName}". Choose another name.`);
  for (const [name, { type, sheet, language }] of Object.entries(addedTypes)) {
    types[name] = type;
    addedTypeKeys[name] = language;
    if (sheet) sheetTypes[name] = sheet;
  }
  return () => {
    for (const name of names) {
      delete types[name];
      delete addedTypeKeys[name];
      delete sheetTypes[name];
    }
  };
}

/**
 * Whether a field's type was added by a product.
 *
 * @example isAddedType({ type: 'text' }); // false
 */
export function isAddedType({ type }: Pick<Field, 'type'>): boolean {
  return !Object.hasOwn(builtIn, type);
}

/**
 * The column type of a field, or null if the resource's table has no column for it.
 *
 * @example columnTypeOf(assignee); // 'bigint'
 */
export function columnTypeOf(field: Field): ColumnType | null {
  return field.computed !== undefined || field.virtual ? null : valueTypeOf(field);
}

/**
 * The PostgreSQL type of the column of a field that has one.
 *
 * @example storedTypeOf(definition.fields.name); // 'text'
 */
export function storedTypeOf(field: Field): ColumnType {
  return requireValue(columnTypeOf(field), `the column of the field "${field.name}"`);
}

/**
 * The PostgreSQL type of a field's value, whether it is stored or computed; null if it has none of its own.
 *
 * @example valueTypeOf(total); // 'numeric'
 */
export function valueTypeOf(field: Field): ColumnType | null {
  if (field.integer) return isWide(field) ? 'bigint' : 'integer';
  if (!field.multiple && field.options?.every((option) => typeof option.value === 'number'))
    return field.options.some(({ value }) => Math.abs(Number(value)) > integerLimit) ? 'bigint' : 'integer';
  const type = fieldTypeOf(field);
  return type.columnOf?.(field) ?? type.column;
}

/**
 * Whether the values of a PostgreSQL type are whole numbers.
 *
 * @example isWholeNumber(columnTypeOf(assignee)); // true
 */
export function isWholeNumber(type: ColumnType | null | undefined): boolean {
  return type === 'integer' || type === 'bigint';
}

export type { Cell, ColumnType, FieldContext, FieldType, SheetType, ValueKind, ValueSchema } from './field-type';
