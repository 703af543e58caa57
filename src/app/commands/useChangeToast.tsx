import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import { UndoButton } from './UndoButton';
import { offerUndo, undoDuration } from './undo';

/** Says what was changed; `undo` takes it back, and `label` names the change in the palette where the toast has other words. */
type SayChanged = (words: string, undo?: () => void, label?: string) => void;

/**
 * Returns a function that says in a toast what was changed. With `undo` the toast, Ctrl+Z and the palette offer to take it
 * back; whichever is used first, it happens once.
 *
 * @example
 * const sayChanged = useChangeToast();
 * sayChanged('Status of Login works set to Done', () => void setStatus(before));
 */
export function useChangeToast(): SayChanged {
  const notify = useNotify();
  return useCallback(
    (words, undo, label = words) =>
      notify(words, {
        type: 'success',
        // Words of a record are no message with placeholders.
        messageArgs: { _: words },
        ...(undo && { autoHideDuration: undoDuration, action: <UndoButton onUndo={offerUndo(label, undo)} /> }),
      }),
    [notify],
  );
}
