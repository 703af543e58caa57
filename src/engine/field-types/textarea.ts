import type { FieldType } from './field-type';
import { textValues } from './text';

/** Text of several lines. */
export const textarea: FieldType = {
  ...textValues,
  sortable: false,
  width: 'full',
  maxLength: 10_000,
};
