import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

let lastPath = '';

/** The path shown before the current one; empty after loading the page. */
export function previousPath(): string {
  return lastPath;
}

/**
 * Records each path after it is rendered.
 *
 * @example usePathTracking(); // once, at the root of the application
 */
export function usePathTracking(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    lastPath = pathname;
  }, [pathname]);
}
