import { createContext, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router-dom';
import { setLeaveGuard } from '../session/leaveGuard';
import { UnsavedChangesDialog } from './UnsavedChangesDialog';

/** The checks that ask before unsaved changes are lost. */
export interface UnsavedChecks {
  /** Each returns whether unsaved changes would be lost now, or that they are being saved. */
  readonly checks: Set<() => boolean | 'saving'>;
  /** Says that one of them returns something else now. */
  readonly update: () => void;
}

export const UnsavedChecksContext = createContext<UnsavedChecks>({ checks: new Set(), update: () => {} });

/**
 * Asks once before unsaved changes are lost, however many forms have some: with a dialog inside the application, with
 * the browser's prompt when the tab is closed. Forms register themselves.
 */
export function UnsavedChangesProvider({ children }: { children: ReactNode }) {
  const [isSaving, setSaving] = useState(false);
  const [unsavedChecks] = useState<UnsavedChecks>(() => {
    const checks: UnsavedChecks['checks'] = new Set();
    return { checks, update: () => setSaving([...checks].some((check) => check() === 'saving')) };
  });
  const isGuarded = useCallback(() => [...unsavedChecks.checks].some((check) => check() !== false), [unsavedChecks]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isGuarded(),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isGuarded]);
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);
  useEffect(
    () =>
      setLeaveGuard(() => (isGuarded() ? new Promise((resolve) => setAnswer(() => resolve)) : Promise.resolve(true))),
    [isGuarded],
  );
  const say = (leave: boolean) => {
    answer?.(leave);
    setAnswer(null);
  };
  return (
    <UnsavedChecksContext value={unsavedChecks}>
      {children}
      <UnsavedChangesDialog
        open={blocker.state === 'blocked' || answer !== null}
        saving={isSaving}
        onLeave={() => (answer ? say(true) : blocker.proceed?.())}
        onStay={() => (answer ? say(false) : blocker.reset?.())}
      />
    </UnsavedChecksContext>
  );
}
