import type { Field, FieldOf, FieldTypeName } from '../definitions/definition';
import { boolean } from './boolean';
import { date } from './date';
import { datetime } from './datetime';
import { duration } from './duration';
import { email } from './email';
import type { ColumnType, FieldType } from './field-type';
import { icon } from './icon';
import { image } from './image';
import { inverse } from './inverse';
import { json } from './json';
import { number } from './number';
import { password } from './password';
import { permissions } from './permissions';
import { phone } from './phone';
import { relation } from './relation';
import { relations } from './relations';
import { richText } from './rich-text';
import { select } from './select';
import { shareLink } from './share-link';
import { text } from './text';
import { textarea } from './textarea';
import { time } from './time';
import { url } from './url';

/** The registry of field types: the one place that switches on a field's type. */
export const fieldTypes: { readonly [Name in FieldTypeName]: FieldType<FieldOf<Name>> } = {
  text,
  textarea,
  richText,
  number,
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
  duration,
  shareLink,
};

/** The type of a field. */
export function fieldTypeOf(field: Pick<Field, 'type'>): FieldType {
  return fieldTypes[field.type];
}

/** The column type of a field, or null if the resource's table has no column for it. */
export function columnTypeOf(field: Field): ColumnType | null {
  if (field.computed !== undefined || field.virtual) return null;
  if (field.type === 'number' && field.integer) return 'integer';
  if (field.type === 'select' && field.options.every((option) => typeof option.value === 'number')) return 'integer';
  return fieldTypeOf(field).column;
}

export type { ColumnType, FieldContext, FieldType, ValueSchema } from './field-type';
