import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';
import type { OverList } from '../navigation/listAddress';
import { ResourceFormDialog } from './ResourceFormDialog';
import { useNamelessBeneath } from './useNamelessBeneath';

interface DialogRouteProps {
  definition: Definition;
  mode: FormMode;
  id?: string;
  /** The path of the list beneath, with its query. */
  list: string;
}

/** The state of a form's entry in the browser's history. */
type FormState = OverList & { record?: ResourceRecord };

/**
 * A form as a dialog over its list, at the form's address. Closing it leads back to the list: to the entry before in the
 * browser's history if it was opened there, else in place of the form.
 */
export function DialogRoute({ definition, mode, id, list }: DialogRouteProps) {
  useNamelessBeneath();
  const navigate = useNavigate();
  const { pathname, state } = useLocation() as { pathname: string; state: FormState | null };
  const isClosing = useRef(false);
  // The action after a creation opens a dialog, which going back in the browser would close.
  const isFollowed = createsRecord(mode) && definition.list.actions.some(({ calls }) => calls?.afterCreate);
  const close = () => {
    // The browser takes a moment to go back: a second key would go back twice.
    if (isClosing.current) return;
    isClosing.current = true;
    if (state?.isOverList && !isFollowed) void navigate(-1);
    else void navigate(list, { replace: true });
  };
  return (
    <ResourceFormDialog
      {...{ definition, mode, id }}
      preset={id === undefined ? state?.record : undefined}
      formPlace={{ pathname, list, state }}
      onClose={close}
    />
  );
}
