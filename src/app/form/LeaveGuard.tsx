import { use, useEffect } from 'react';
import { GuardsContext } from './LeaveGuards';

/** Keeps the screen from being left without a question while `guards` says so. */
export function LeaveGuard({ guards }: { guards: () => boolean }) {
  const all = use(GuardsContext);
  useEffect(() => {
    all.add(guards);
    return () => void all.delete(guards);
  }, [all, guards]);
  return null;
}
