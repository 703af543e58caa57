import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { useOpenDialog } from '../dialogs/openDialog';
import { formPath } from '../navigation/useOpenForm';

/**
 * Returns a function that opens the form of a new record from any screen: a dialog over it, or a page.
 *
 * @example useAddAnywhere()(tasks);
 */
export function useAddAnywhere(): (definition: Definition) => void {
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  return useCallback(
    (definition) => {
      if (definition.form.dialog) openDialog({ kind: 'form', definition, mode: 'create' });
      else void navigate(formPath(definition, 'create'));
    },
    [navigate, openDialog],
  );
}
