import { useEffect } from 'react';
import { forget, keep } from './kept';
import { isUntouched, type Steps } from './steps';

/**
 * Keeps the draft in this browser, at every change, while it differs from what it was made from. What another tab made
 * of it is kept already, and may not be its latest by now.
 */
export function useKeeping(user: number, name: string, { base, now, followed }: Steps): void {
  useEffect(() => {
    if (now === followed) return;
    if (isUntouched({ base, now })) forget(user, name);
    else keep(user, name, { base, now });
  }, [user, name, base, now, followed]);
}
