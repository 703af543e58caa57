import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { useOpenDialog } from '../dialogs/openDialog';

/** The route of a form that is a dialog: shows the list with the dialog over it. */
export function DialogRoute({ definition, mode, id }: { definition: Definition; mode: FormMode; id?: string }) {
  const navigate = useNavigate();
  const open = useOpenDialog();
  useEffect(() => {
    // After the navigation to the list, which would close a dialog opened before it.
    const timer = setTimeout(() => {
      void navigate(`/${definition.name}`, { replace: true });
      open({ kind: 'form', definition, mode, id });
    });
    return () => clearTimeout(timer);
  }, [definition, id, mode, navigate, open]);
  return null;
}
