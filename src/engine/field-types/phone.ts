import type { FieldType } from './field-type';
import { text, textKeys, textSchema } from './text';

/** A telephone number: digits, spaces and `+ ( ) - . /`. */
export const phone: FieldType = {
  ...text,
  keys: textKeys,
  schema: (field) => ({ pattern: '^[0-9+()./ -]*$', ...textSchema(field) }),
  maxLength: 15,
};
