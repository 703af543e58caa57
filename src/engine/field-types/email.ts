import type { FieldType, SheetType } from './field-type';
import { textSchema, textValues } from './text';

/** Whether the text is a deliverable email address (the common part of RFC 5321). */
export function isEmail(address: string): boolean {
  // The limit of RFC 5321; the run time of the expression is quadratic in the length.
  if (address.length > 320) return false;
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/.test(
    address,
  );
}

/** An email address. */
export const email: FieldType = {
  ...textValues,
  schema: (field) => ({ ...textSchema(field), format: 'email' }),
  isPersonal: true,
  isDetail: true,
  fitsCell: true,
};

export const emailSheet: SheetType = { example: () => 'name@example.com' };
