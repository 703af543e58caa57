import { useCallback, useRef, useState, type ReactNode } from 'react';
import { UnsavedChangesGuard } from './UnsavedChangesGuard';
import { UnsavedChangesDialog } from './UnsavedChangesDialog';

interface GuardedClose {
  /** Closes the dialog, or asks first if there are unsaved changes. */
  close: () => void;
  /** Call it whenever the form is changed, saved or starts saving. */
  onDirty: (dirty: boolean, saving?: boolean) => void;
  /** Render it beside the dialog. */
  question: ReactNode;
}

/**
 * Asks before a dialog with unsaved changes is closed or left with the browser.
 *
 * @example const guarded = useGuardedClose(onClose); // guarded.close() asks if something would be lost
 */
export function useGuardedClose(onClose: () => void): GuardedClose {
  const [dirty, setDirty] = useState(false);
  const [saving, setSaving] = useState(false);
  // What is saved may be left at once, before the next render.
  const guarded = useRef(false);
  const guards = useCallback(() => guarded.current, []);
  const onDirty = useCallback((isDirty: boolean, isSaving = false) => {
    guarded.current = isDirty;
    setDirty(isDirty);
    setSaving(isSaving);
  }, []);
  const [asking, setAsking] = useState(false);
  const discard = () => {
    guarded.current = false;
    onClose();
  };
  return {
    close: () => (dirty ? setAsking(true) : onClose()),
    onDirty,
    question: (
      <>
        {dirty && <UnsavedChangesGuard guards={guards} saving={saving} />}
        <UnsavedChangesDialog open={asking} saving={saving} onLeave={discard} onStay={() => setAsking(false)} />
      </>
    ),
  };
}
