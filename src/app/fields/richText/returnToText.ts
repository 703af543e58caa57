import type { Editor } from '@tiptap/core';
import { flushSync } from 'react-dom';

/**
 * Closes what was open over a text and puts the focus into the text before it returns. TipTap's own `focus` waits for the next
 * frame, which takes the focus from whatever was opened by keys in the meantime.
 *
 * @example returnToText(editor, () => setAnchor(null));
 */
export function returnToText(editor: Editor, close: () => void): void {
  // While a popover is open, it takes the focus back.
  flushSync(close);
  editor.view.focus();
}
