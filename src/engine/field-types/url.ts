import type { FieldType, SheetType } from './field-type';
import { textSchema, textValues } from './text';

/**
 * Whether the text is a web address: http or https (optional) and a host with a dot, or localhost.
 *
 * @example isUrl('example.com/a?b=1'); // true
 */
export function isUrl(address: string): boolean {
  return /^(https?:\/\/)?(localhost|[\p{L}\d-]{1,63}(\.[\p{L}\d-]{1,63})+)(:\d{1,5})?([/?#]\S*)?$/iu.test(address);
}

/** An address on the web. */
export const url: FieldType = {
  ...textValues,
  schema: (field) => ({ ...textSchema(field), format: 'uri' }),
  isDetail: true,
  fitsCell: true,
};

export const urlSheet: SheetType = { example: () => 'https://example.com' };
