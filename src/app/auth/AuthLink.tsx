import type { ReactNode } from 'react';
import { navigate } from '../session/navigation';

/** A link between the pages before sign-in. A click with a modifier stays the browser's. */
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
