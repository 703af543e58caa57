import type { FieldType } from './field-type';
import { textKeys, textValues } from './text';

/** Text of several lines. */
export const textarea: FieldType = {
  ...textValues,
  keys: [...textKeys, 'lines', 'markdown'],
  sortable: false,
  width: 'full',
  maxLength: 10_000,
};
