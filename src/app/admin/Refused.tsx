import { useNotify } from 'react-admin';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

interface RefusedProps {
  /** The module that the actor may not open. */
  label?: string;
  /** Whether the path may be that of a module: whoever may not open one is not told which there are. */
  maybeModule?: boolean;
}

/** Leads to the root and says why in a toast: nothing is at this path, or the actor may not open what is. */
export function Refused({ label, maybeModule = false }: RefusedProps) {
  const notify = useNotify();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    const none = `There is no page at ${pathname}${maybeModule ? ', or you may not open it' : ''}.`;
    const message = label ? `You may not open ${label}.` : none;
    notify(message, { type: 'warning', messageArgs: { _: message } });
    void navigate('/', { replace: true });
  }, [label, maybeModule, navigate, notify, pathname]);
  return null;
}
