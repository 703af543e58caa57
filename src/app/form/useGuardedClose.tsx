import { useCallback, useRef, useState, type ReactNode } from 'react';
import { UnsavedChangesGuard } from './UnsavedChangesGuard';
import { UnsavedChangesDialog } from './UnsavedChangesDialog';
import type { SaveBeforeLeaving } from './UnsavedChangesProvider';

interface GuardedClose {
  /** Closes the dialog, or asks first if there are unsaved changes. */
  close: () => void;
  /** Call it whenever the form's dirty state changes. */
  onDirty: (dirty: boolean) => void;
  /** Call it when the form begins to save, and when the answer is there. */
  onSaving: (saving: boolean) => void;
  /** Call it with the form's way to save, which the question offers then. */
  offerSave: (save: SaveBeforeLeaving) => void;
  /** Render it beside the dialog. */
  question: ReactNode;
}

/**
 * Asks before a dialog with unsaved changes is closed or left with the browser; `canSave`: its form calls `offerSave`.
 *
 * @example const guarded = useGuardedClose(onClose); // guarded.close() asks if something would be lost
 */
export function useGuardedClose(onClose: () => void, canSave = false): GuardedClose {
  const [dirty, setDirty] = useState(false);
  const [saving, setSaving] = useState(false);
  // A saved form may be left at once, before the next render.
  const isGuarded = useRef(false);
  const guards = useCallback(() => isGuarded.current, []);
  const onDirty = useCallback((isDirty: boolean) => {
    isGuarded.current = isDirty;
    setDirty(isDirty);
  }, []);
  const [isAsking, setAsking] = useState(false);
  const saver = useRef<SaveBeforeLeaving>(undefined);
  const offerSave = useCallback((offeredSave: SaveBeforeLeaving) => {
    saver.current = offeredSave;
  }, []);
  const save = useCallback<SaveBeforeLeaving>(
    (leave, stay) => (saver.current ? saver.current(leave, stay) : stay()),
    [],
  );
  const discard = () => {
    isGuarded.current = false;
    onClose();
  };
  const saveAndClose = () => {
    setAsking(false);
    save(discard, () => {});
  };
  return {
    close: () => (dirty ? setAsking(true) : onClose()),
    onDirty,
    onSaving: setSaving,
    offerSave,
    question: (
      <>
        {dirty && <UnsavedChangesGuard guards={guards} saving={saving} save={canSave ? save : undefined} />}
        <UnsavedChangesDialog
          open={isAsking}
          saving={saving}
          onLeave={discard}
          onSave={canSave ? saveAndClose : undefined}
          onStay={() => setAsking(false)}
        />
      </>
    ),
  };
}
