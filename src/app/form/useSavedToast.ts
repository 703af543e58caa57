import { useNotify } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { savedMessage } from './formTexts';

/**
 * Returns a function that shows a toast after saving, and the response's `warning` if there is one.
 *
 * @example useSavedToast(definition, 'create')(stored); // "Task saved successfully!", or the words of the definition
 */
export function useSavedToast(definition: Definition, mode: FormMode): (stored: ResourceRecord) => void {
  const notify = useNotify();
  return ({ warning }) => {
    notify(savedMessage(definition, mode), { type: 'success' });
    if (typeof warning === 'string') notify(warning, { type: 'warning', autoHideDuration: 8000 });
  };
}
