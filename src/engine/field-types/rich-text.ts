import { markupToText } from '../formats/markup-to-text';
import type { FieldType, SheetType } from './field-type';
import { textSheet, textValues } from './text';

/** Formatted text as HTML; the server stores only safe markup. */
export const richText: FieldType = {
  ...textValues,
  // Blanks that do not break are a matter of layout in markup.
  parse: (value) => (typeof value === 'string' ? value.normalize('NFC').trim() || null : value),
  toText: (value) => (typeof value === 'string' ? markupToText(value) : ''),
  toPlainText: (value) => markupToText(String(value), { bullet: '• ' }),
  sortable: false,
  hasMarkup: true,
  width: 'full',
  maxLength: 100_000,
};

export const richTextSheet: SheetType = {
  ...textSheet,
  toCell: (value) => (typeof value === 'string' ? markupToText(value, { emptyLines: true }) || null : undefined),
  fromCell: textToMarkup,
};

/** Plain text as paragraphs; markup is escaped. */
function textToMarkup(text: string): string {
  const escapedText = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escapedText
    .split(/\r?\n/)
    .map((line) => `<p>${line}</p>`)
    .join('');
}
