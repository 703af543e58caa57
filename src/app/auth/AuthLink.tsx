import type { ReactNode } from 'react';
import { navigate } from '../session/navigation';

/** A link between the pages before sign-in. Clicks with a modifier key are left to the browser. */
export function AuthLink({ path, children }: { path: string; children: ReactNode }) {
  return (
    <a
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(path);
      }}
    >
      {children}
    </a>
  );
}
