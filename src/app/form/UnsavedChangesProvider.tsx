import { createContext, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { setLeaveGuard } from '../session/leaveGuard';
import { UnsavedChangesDialog } from './UnsavedChangesDialog';

/** Each returns whether unsaved changes would be lost now. */
export type UnsavedChecks = Set<() => boolean>;

export const UnsavedChecksContext = createContext<UnsavedChecks>(new Set());

/**
 * Asks once before unsaved changes are lost, however many forms have some: with a dialog inside the application, with
 * the browser's prompt when the tab is closed. Forms register themselves.
 */
export function UnsavedChangesProvider({ children }: { children: ReactNode }) {
  const [guards] = useState<UnsavedChecks>(() => new Set());
  const guarded = useCallback(() => [...guards].some((guard) => guard()), [guards]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && guarded(),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (guarded()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [guarded]);
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);
  useEffect(
    () => setLeaveGuard(() => (guarded() ? new Promise((done) => setAnswer(() => done)) : Promise.resolve(true))),
    [guarded],
  );
  const say = (leave: boolean) => {
    answer?.(leave);
    setAnswer(null);
  };
  return (
    <UnsavedChecksContext value={guards}>
      {children}
      <UnsavedChangesDialog
        open={blocker.state === 'blocked' || answer !== null}
        onLeave={() => (answer ? say(true) : blocker.proceed?.())}
        onStay={() => (answer ? say(false) : blocker.reset?.())}
      />
    </UnsavedChecksContext>
  );
}
