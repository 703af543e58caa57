import { use, useEffect } from 'react';
import { UnsavedChecksContext } from './UnsavedChangesProvider';

/** Asks before the screen is left while `guards` returns true. */
export function UnsavedChangesGuard({ guards }: { guards: () => boolean }) {
  const all = use(UnsavedChecksContext);
  useEffect(() => {
    all.add(guards);
    return () => void all.delete(guards);
  }, [all, guards]);
  return null;
}
