import type { FieldType } from './field-type';
import { text, textSchema } from './text';

/** Whether the text is an e-mail address that mail can be sent to (RFC 5321's common part). */
export function isEmail(address: string): boolean {
  // RFC 5321 allows no more; the expression takes time with the square of the length.
  if (address.length > 320) return false;
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/.test(
    address,
  );
}

/** An e-mail address. */
export const email: FieldType = { ...text, schema: (field) => ({ ...textSchema(field), format: 'email' }) };
