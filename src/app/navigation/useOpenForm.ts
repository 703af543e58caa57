import { use, useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { useOpenDialog } from '../dialogs/openDialog';
import { ListAddressContext, type OverList } from './listAddress';

/** The path of a form. */
export function formPath({ name }: Definition, mode: FormMode, id?: string): string {
  if (mode === 'create' || id === undefined) return `/${name}/create`;
  if (mode === 'copy') return `/${name}/create/${id}`;
  return mode === 'view' ? `/${name}/${id}/view` : `/${name}/${id}`;
}

/** How the forms of a module are opened. */
interface FormOpener {
  /** They have addresses here: as pages, or as dialogs over the module's own list. */
  readonly hasAddress: boolean;
  readonly open: (mode: FormMode, id?: string) => void;
}

/**
 * How to open a form of a module: at its address, as a page or as a dialog over the module's own list; over any other screen a
 * form that is a dialog has no address.
 *
 * @example useOpenForm(definition).open('edit', '7');
 */
export function useOpenForm(definition: Definition): FormOpener {
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const list = use(ListAddressContext);
  const isDialog = definition.form.dialog !== undefined;
  const hasAddress = !isDialog || list?.module === definition.name;
  const open = useCallback(
    (mode: FormMode, id?: string) => {
      if (!hasAddress) return openDialog({ kind: 'form', definition, mode, id });
      // From a form that is open over the list, the palette opens another one: the list is not the entry before.
      const isOverList = window.location.pathname === `/${definition.name}`;
      const state: OverList | undefined = isDialog ? { isOverList, list: list?.latest() } : undefined;
      void navigate(formPath(definition, mode, id), { state });
    },
    [definition, hasAddress, isDialog, list, navigate, openDialog],
  );
  return { hasAddress, open };
}
