import { use, useEffect } from 'react';
import { GuardsContext } from './LeaveGuards';

/** Asks before the screen is left while `guards` returns true. */
export function LeaveGuard({ guards }: { guards: () => boolean }) {
  const all = use(GuardsContext);
  useEffect(() => {
    all.add(guards);
    return () => void all.delete(guards);
  }, [all, guards]);
  return null;
}
