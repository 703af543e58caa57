import { useEffect } from 'react';
import { useLocation } from 'react-router';

let latest = '';

/** The path that was shown before the one that is being drawn; empty after loading the page. */
export function previousPath(): string {
  return latest;
}

/** Notes each path once it is drawn. */
export function useTrail(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    latest = pathname;
  }, [pathname]);
}
