import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { useOpenDialog } from '../dialogs/openDialog';

/** An address of a form that is a dialog: shows the list with the dialog over it. */
export function DialogRoute({ definition, mode, id }: { definition: Definition; mode: FormMode; id?: string }) {
  const navigate = useNavigate();
  const open = useOpenDialog();
  useEffect(() => {
    // Once the list is there: opened before, the dialog would go with the address.
    const timer = setTimeout(() => {
      void navigate(`/${definition.name}`, { replace: true });
      open({ kind: 'form', definition, mode, id });
    });
    return () => clearTimeout(timer);
  }, [definition, id, mode, navigate, open]);
  return null;
}
