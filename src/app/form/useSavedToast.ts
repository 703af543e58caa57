import { useNotify } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { useChangeToast } from '../commands/useChangeToast';
import { savedMessage } from './formTexts';

/**
 * Returns a function that shows a toast after saving, and the response's `warning` if there is one; with `undo` the toast
 * and Ctrl+Z offer to take it back.
 *
 * @example useSavedToast(definition, 'create')(stored); // "Task saved successfully!", or the words of the definition
 */
export function useSavedToast(
  definition: Definition,
  mode: FormMode,
): (stored: ResourceRecord, undo?: () => void) => void {
  const notify = useNotify();
  const sayChanged = useChangeToast();
  return ({ warning }, undo) => {
    sayChanged(savedMessage(definition, mode), undo);
    if (typeof warning === 'string') notify(warning, { type: 'warning', autoHideDuration: 8000 });
  };
}
