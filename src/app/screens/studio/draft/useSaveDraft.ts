import { useEffect } from 'react';
import { deleteSavedDraft, saveDraft } from './savedDraft';
import { isUnchanged, type DraftHistory } from './draftHistory';

/**
 * Saves the draft in this browser at every change, while it differs from its base. A state that came from another tab is
 * not saved again: that tab has saved it, and may have saved a newer one since.
 */
export function useSaveDraft(user: number, name: string, { base, now, followed }: DraftHistory): void {
  useEffect(() => {
    if (now === followed) return;
    if (isUnchanged({ base, now })) deleteSavedDraft(user, name);
    else saveDraft(user, name, { base, now });
  }, [user, name, base, now, followed]);
}
