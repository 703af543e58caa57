import { useNotify } from 'react-admin';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface NoAccessProps {
  /** The module that the actor has no access to. */
  label?: string;
  /** Whether the path could be that of a module. A user without access is not told which modules exist. */
  mayBeModule?: boolean;
}

/** Redirects to the home page and says why in a toast: the page does not exist, or the actor has no access to it. */
export function NoAccess({ label, mayBeModule = false }: NoAccessProps) {
  const notify = useNotify();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    const notFoundMessage = `Page ${pathname} not found${mayBeModule ? ', or you have no access' : ''}.`;
    const message = label ? `You don't have access to ${label}.` : notFoundMessage;
    notify(message, { type: 'warning', messageArgs: { _: message } });
    void navigate('/', { replace: true });
  }, [label, mayBeModule, navigate, notify, pathname]);
  return null;
}
