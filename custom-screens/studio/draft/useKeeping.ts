import { useEffect } from 'react';
import { forget, keep } from './kept';
import { isUntouched, type Steps } from './steps';

/** Keeps the draft in this browser, at every change, while it differs from what it was made from. */
export function useKeeping(user: number, name: string, { base, now }: Steps): void {
  useEffect(() => {
    if (isUntouched({ base, now })) forget(user, name);
    else keep(user, name, { base, now });
  }, [user, name, base, now]);
}
