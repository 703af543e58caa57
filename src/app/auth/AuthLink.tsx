import type { ReactNode } from 'react';
import { navigate } from '../session/navigation';

/** A link between the pages before sign-in. Clicks with a modifier key are left to the browser. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
