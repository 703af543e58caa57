import { useEffect } from 'react';
import { forget, keep } from './kept';
import { isUntouched, type Steps } from './steps';

/**
 * Saves the draft in this browser at every change, while it differs from its base. A state that came from another tab is
 * not saved again: that tab has saved it, and may have saved a newer one since.
 */
export function useKeeping(user: number, name: string, { base, now, followed }: Steps): void {
  useEffect(() => {
    if (now === followed) return;
    if (isUntouched({ base, now })) forget(user, name);
    else keep(user, name, { base, now });
  }, [user, name, base, now, followed]);
}
