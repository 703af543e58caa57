import type { FieldType } from './field-type';
import { text, textKeys, textSchema } from './text';

/** Whether the text is a web address: http or https (optional) and a host with a dot, or localhost. */
export function isUrl(address: string): boolean {
  return /^(https?:\/\/)?(localhost|[\p{L}\d-]{1,63}(\.[\p{L}\d-]{1,63})+)(:\d{1,5})?([/?#]\S*)?$/iu.test(address);
}

/** An address on the web. */
export const url: FieldType = {
  ...text,
  keys: textKeys,
  schema: (field) => ({ ...textSchema(field), format: 'uri' }),
};
