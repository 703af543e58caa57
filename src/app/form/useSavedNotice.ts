import { useNotify } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { savedMessage } from './formWords';

/** Says that a record was saved and, where its answer carries a `warning`, what to look at all the same. */
export function useSavedNotice(definition: Definition, mode: FormMode): (stored: ResourceRecord) => void {
  const notify = useNotify();
  return ({ warning }) => {
    notify(savedMessage(definition, mode), { type: 'success' });
    if (typeof warning === 'string') notify(warning, { type: 'warning', autoHideDuration: 8000 });
  };
}
