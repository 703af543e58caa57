import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

let lastPath = '';
let pathBefore = '';

/** The path shown before the current one; empty after loading the page. */
export function previousPath(): string {
  return lastPath;
}

/**
 * The path that led to the present page; empty after loading it. Unlike the previous path, it stays the same while the page
 * is open.
 */
export function leadingPath(): string {
  return lastPath === window.location.pathname ? pathBefore : lastPath;
}

/**
 * Records each path after it is rendered.
 *
 * @example usePathTracking(); // once, at the root of the application
 */
export function usePathTracking(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (lastPath === pathname) return;
    pathBefore = lastPath;
    lastPath = pathname;
  }, [pathname]);
}
