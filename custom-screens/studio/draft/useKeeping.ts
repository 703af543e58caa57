import { useEffect } from 'react';
import { forget, keep } from './kept';
import { isUntouched, type Steps } from './steps';

const pause = 200;

/** Keeps the draft in this browser while it differs from what it was made from, at the latest when the page is left. */
export function useKeeping(user: number, name: string, { base, now }: Steps): void {
  useEffect(() => {
    const store = () => (isUntouched({ base, now }) ? forget(user, name) : keep(user, name, { base, now }));
    const timer = setTimeout(store, pause);
    window.addEventListener('pagehide', store);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', store);
      store();
    };
  }, [user, name, base, now]);
}
