import { markupToText } from '../formats/markup-to-text';
import type { FieldType } from './field-type';
import { text, textKeys } from './text';

/** Formatted text as HTML; the server stores only safe markup. */
export const richText: FieldType = {
  ...text,
  keys: [...textKeys, 'lines'],
  toText: (value) => (typeof value === 'string' ? markupToText(value) : ''),
  sortable: false,
  hasMarkup: true,
  width: 'full',
  maxLength: 100_000,
};
