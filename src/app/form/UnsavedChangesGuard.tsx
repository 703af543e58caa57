import { use, useEffect } from 'react';
import { UnsavedChecksContext } from './UnsavedChangesProvider';

interface UnsavedChangesGuardProps {
  guards: () => boolean;
  /** The changes are being saved. */
  saving?: boolean;
}

/** Asks before the screen is left while `guards` returns true. */
export function UnsavedChangesGuard({ guards, saving = false }: UnsavedChangesGuardProps) {
  const { checks, update } = use(UnsavedChecksContext);
  useEffect(() => {
    const check = () => guards() && (saving ? 'saving' : true);
    checks.add(check);
    update();
    return () => {
      checks.delete(check);
      update();
    };
  }, [checks, guards, saving, update]);
  return null;
}
