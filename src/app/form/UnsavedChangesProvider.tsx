import { createContext, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router-dom';
import { setLeaveGuard } from '../session/leaveGuard';
import { lazyComponent, preloadLazy } from '../states/lazyComponent';

const UnsavedChangesDialog = lazyComponent(() =>
  import('./UnsavedChangesDialog').then((module) => ({ default: module.UnsavedChangesDialog })),
);

/** Saves, and calls the first function once that is done, the second if it was refused or is not valid. */
export type SaveBeforeLeaving = (leave: () => void, stay: () => void) => void;

/** Something that asks before its unsaved changes are lost. */
export interface UnsavedCheck {
  /** Whether unsaved changes would be lost now, or that they are being saved. */
  readonly state: () => boolean | 'saving';
  readonly save?: SaveBeforeLeaving;
}

/** The checks that ask before unsaved changes are lost. */
export interface UnsavedChecks {
  readonly checks: Set<UnsavedCheck>;
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
    return { checks, update: () => setSaving([...checks].some(({ state }) => state() === 'saving')) };
  });
  const isGuarded = useCallback(
    () => [...unsavedChecks.checks].some(({ state }) => state() !== false),
    [unsavedChecks],
  );
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
  useEffect(() => {
    // The first key or click in a form may change it; the question is then asked even without a connection.
    const preload = () => {
      if (unsavedChecks.checks.size > 0) void preloadLazy(UnsavedChangesDialog);
    };
    const kinds = ['keydown', 'pointerdown'] as const;
    kinds.forEach((kind) => document.addEventListener(kind, preload, { passive: true }));
    return () => kinds.forEach((kind) => document.removeEventListener(kind, preload));
  }, [unsavedChecks]);
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);
  useEffect(
    () =>
      setLeaveGuard(() => (isGuarded() ? new Promise((resolve) => setAnswer(() => resolve)) : Promise.resolve(true))),
    [isGuarded],
  );
  const leave = (isLeaving: boolean) => {
    if (answer) answer(isLeaving);
    else if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
    setAnswer(null);
  };
  const latestLeave = useRef(leave);
  useLayoutEffect(() => {
    latestLeave.current = leave;
  });
  // Where the person is going once the changes are saved: the question of another place is asked again.
  const target = answer ?? (blocker.state === 'blocked' ? blocker.location : null);
  const [savedFor, setSavedFor] = useState<typeof target>(null);
  // It stays afterwards, to fade away.
  const [wasAsked, setWasAsked] = useState(false);
  if (target !== null && !wasAsked) setWasAsked(true);
  const unsaved = target === null ? [] : [...unsavedChecks.checks].filter(({ state }) => state() !== false);
  const save = unsaved.length === 1 ? unsaved[0]?.save : undefined;
  const saveAndLeave = () => {
    setSavedFor(target);
    const finish = (isLeaving: boolean) => {
      setSavedFor(null);
      latestLeave.current(isLeaving);
    };
    save?.(
      () => finish(true),
      () => finish(false),
    );
  };
  return (
    <UnsavedChecksContext value={unsavedChecks}>
      {children}
      {wasAsked && (
        <UnsavedChangesDialog
          open={target !== null && target !== savedFor}
          saving={isSaving}
          onLeave={() => leave(true)}
          onSave={save && saveAndLeave}
          onStay={() => leave(false)}
        />
      )}
    </UnsavedChecksContext>
  );
}
