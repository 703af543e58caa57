import { useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../../session/api';
import { offlineSaveMessage, sendWithRetry, retryNow } from '../../session/connection';
import { saveRoles, type Role } from './api';
import { roleChanges } from './changes';
import type { PermissionsDraft } from './usePermissionsDraft';

/** Saves all changes, or notifies the user why none was saved; the changes then stay. */
export function useSavePermissions(draft: PermissionsDraft, roles: readonly Role[], reload: () => Promise<unknown>) {
  const notify = useNotify();
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; changes: PermissionsDraft['changes'] }>();
  const end = useRef<AbortController>(null);
  useEffect(() => () => end.current?.abort(), []);
  const save = async () => {
    if (saving) return retryNow();
    const abortController = (end.current = new AbortController());
    const { signal } = abortController;
    let isTold = false;
    const onLost = () => {
      if (!isTold) notify(offlineSaveMessage, { type: 'warning' });
      isTold = true;
    };
    setSaving(true);
    setRefusal(undefined);
    try {
      const changedRoles = roleChanges(draft.changes, roles);
      await sendWithRetry(() => saveRoles(changedRoles), onLost, signal, {
        label: 'Permissions',
        discard: () => abortController.abort(),
      });
      draft.clear();
      notify('Saved Successfully', { type: 'success' });
    } catch (error) {
      if (signal.aborted) return;
      const isDuel = error instanceof ApiError && error.status === 409;
      const text = error instanceof Error ? error.message : String(error);
      if (isDuel)
        setRefusal({
          text: `${text} The matrix now shows it, with your changes on top. Check them and save again.`,
          changes: draft.changes,
        });
      else notify(text, { type: 'error' });
    } finally {
      await reload();
      setSaving(false);
    }
  };
  return {
    saving,
    /** Why the last save was refused, until the next save or until no changes are left. */
    refusal: draft.changes.size > 0 ? refusal?.text : undefined,
    save: () => void save(),
  };
}
