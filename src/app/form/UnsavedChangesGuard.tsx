import { use, useEffect, useEffectEvent } from 'react';
import { UnsavedChecksContext, type SaveBeforeLeaving, type UnsavedCheck } from './UnsavedChangesProvider';

interface UnsavedChangesGuardProps {
  guards: () => boolean;
  /** The changes are being saved. */
  saving?: boolean;
  /** Saves them before the screen is left. */
  save?: SaveBeforeLeaving;
}

/** Asks before the screen is left while `guards` returns true. */
export function UnsavedChangesGuard({ guards, saving = false, save }: UnsavedChangesGuardProps) {
  const { checks, update } = use(UnsavedChecksContext);
  const saveNow = useEffectEvent<SaveBeforeLeaving>((leave, stay) => (save ? save(leave, stay) : stay()));
  const canSave = save !== undefined;
  useEffect(() => {
    const check: UnsavedCheck = {
      state: () => guards() && (saving ? 'saving' : true),
      ...(canSave && { save: (leave, stay) => saveNow(leave, stay) }),
    };
    checks.add(check);
    update();
    return () => {
      checks.delete(check);
      update();
    };
  }, [canSave, checks, guards, saving, update]);
  return null;
}
