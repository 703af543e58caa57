import { createContext, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { askBeforeLeaving } from '../session/leaving';
import { LeaveQuestion } from './LeaveQuestion';

/** Each returns whether unsaved changes would be lost now. */
export type Guards = Set<() => boolean>;

export const GuardsContext = createContext<Guards>(new Set());

/**
 * Asks once before unsaved changes are lost, however many forms have some: with a dialog inside the application, with
 * the browser's prompt when the tab is closed. Forms register themselves.
 */
export function LeaveGuards({ children }: { children: ReactNode }) {
  const [guards] = useState<Guards>(() => new Set());
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
    () => askBeforeLeaving(() => (guarded() ? new Promise((done) => setAnswer(() => done)) : Promise.resolve(true))),
    [guarded],
  );
  const say = (leave: boolean) => {
    answer?.(leave);
    setAnswer(null);
  };
  return (
    <GuardsContext value={guards}>
      {children}
      <LeaveQuestion
        open={blocker.state === 'blocked' || answer !== null}
        onLeave={() => (answer ? say(true) : blocker.proceed?.())}
        onStay={() => (answer ? say(false) : blocker.reset?.())}
      />
    </GuardsContext>
  );
}
