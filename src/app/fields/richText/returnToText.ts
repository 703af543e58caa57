import type { Editor } from '@tiptap/core';
import { Selection } from '@tiptap/pm/state';
import { useEffect } from 'react';
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

/**
 * Puts the cursor at the end of a text that has just appeared, at once. TipTap's `autofocus` comes a frame later, and takes the
 * focus from what was opened by keys in the meantime.
 *
 * @example useFocusAtEnd(editor, props.autoFocus === true);
 */
export function useFocusAtEnd(editor: Editor, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || editor.isDestroyed) return;
    editor.view.dispatch(editor.state.tr.setSelection(Selection.atEnd(editor.state.doc)));
    editor.view.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- later, the focus is where the person put it
  }, [editor]);
}
