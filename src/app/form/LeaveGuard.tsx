import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { LeaveQuestion } from './LeaveQuestion';

/** Asks before unsaved changes are left behind: inside the application with a dialog, at the tab's end with the browser's. */
export function LeaveGuard({ guards }: { guards: () => boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => guards() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (guards()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [guards]);
  return (
    <LeaveQuestion
      open={blocker.state === 'blocked'}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  );
}
