import { useNotify } from 'react-admin';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Leads to the root and says why in a toast: nothing is at this path, or the actor may not open the labelled module. */
export function Refused({ label }: { label?: string }) {
  const notify = useNotify();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    const message = label ? `You may not open ${label}.` : `There is no page at ${pathname}.`;
    notify(message, { type: 'warning', messageArgs: { _: message } });
    void navigate('/', { replace: true });
  }, [label, navigate, notify, pathname]);
  return null;
}
