import type { FieldType } from './field-type';
import { text, textSchema } from './text';

/** Whether the text is an address on the web: http or https (which may be left out) and a host with a dot, or localhost. */
export function isUrl(address: string): boolean {
  return /^(https?:\/\/)?(localhost|[\p{L}\d-]{1,63}(\.[\p{L}\d-]{1,63})+)(:\d{1,5})?([/?#]\S*)?$/iu.test(address);
}

/** An address on the web. */
export const url: FieldType = { ...text, schema: (field) => ({ ...textSchema(field), format: 'uri' }) };
