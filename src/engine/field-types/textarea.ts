import type { FieldType } from './field-type';
import { text, textKeys } from './text';

/** Text of several lines. */
export const textarea: FieldType = {
  ...text,
  keys: [...textKeys, 'lines'],
  sortable: false,
  width: 'full',
  maxLength: 10_000,
};
