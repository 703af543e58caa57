import { useEffect } from 'react';
import { useLocation } from 'react-router';

let latest = '';

/** The path shown before the current one; empty after loading the page. */
export function previousPath(): string {
  return latest;
}

/** Records each path after it is rendered. */
export function useTrail(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    latest = pathname;
  }, [pathname]);
}
