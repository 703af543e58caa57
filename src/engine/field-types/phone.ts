import type { FieldType, SheetType } from './field-type';
import { textSchema, textValues } from './text';

/** A telephone number: digits, spaces and `+ ( ) - . /`. */
export const phone: FieldType = {
  ...textValues,
  schema: (field) => ({ pattern: '^[0-9+()./ -]*$', ...textSchema(field) }),
  maxLength: 15,
  isDetail: true,
  fitsCell: true,
};

export const phoneSheet: SheetType = { example: () => '+49 30 1234567' };
