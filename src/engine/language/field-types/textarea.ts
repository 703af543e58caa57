import { flag } from '../key';
import { lines, textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const textarea = typeKeys({
  common: ['computed'],
  keys: {
    ...textLimits,
    lines,
    markdown: flag({
      label: 'Marks in the text',
      rare: true,
      help: 'textarea, also as a column of rows: its text can have marks, a part of Markdown: `**bold**`, `_italic_`, code between backticks, `[text](https://address)` with http, https or mailto, and `![text](name.png)` for a picture among the files of the record. Each is within one line, around whole words; everything else is shown as it was typed. Forms have a toolbar for them (Alt+F10 leads to it, Escape back to the text) and keys: Ctrl+B, Ctrl+I, Ctrl+E for code, Ctrl+Shift+K for a link; pasted pictures are stored among the files; the page of the record shows the result. It stays text: in the API, in the history, in spreadsheets, in imports and exports, and texts that are stored already need no change.',
      default: false,
    }),
  },
});
