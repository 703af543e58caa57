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

/** A standard of the web that browsers and servers have. */
declare const URL: new (text: string) => { readonly hostname: string };

/**
 * An address as mail servers know it: a domain in other letters is written in those of ASCII.
 *
 * @example deliverableAddress('user@m\u00fcller.example'); // 'user@xn--mller-kva.example'
 */
export function deliverableAddress(address: string): string {
  const domainStart = address.lastIndexOf('@') + 1;
  const domain = address.slice(domainStart);
  if (domainStart === 0 || !/\P{ASCII}/u.test(domain) || /[\s/\\:?#@[\]%]/.test(domain)) return address;
  try {
    return address.slice(0, domainStart) + new URL(`http://${domain}`).hostname;
  } catch {
    return address;
  }
}

/** An email address. */
export const email: FieldType = {
  ...textValues,
  parse: (value, field) => {
    const text = textValues.parse(value, field);
    return typeof text === 'string' ? deliverableAddress(text) : text;
  },
  schema: (field) => ({ ...textSchema(field), format: 'email' }),
  isPersonal: true,
  isDetail: true,
  fitsCell: true,
};

export const emailSheet: SheetType = { example: () => 'name@example.com' };
