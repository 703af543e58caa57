import { useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../../session/api';
import { offlineSaveMessage, sendWithRetry, retryNow } from '../../session/connection';
import { saveRoles, type Role } from './api';
import { roleChanges, noChanges, remainingChanges, applyChanges, type Changes, type PermissionChange } from './changes';

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

/** The unsaved changes on top of the saved roles. */
interface PermissionsDraft {
  readonly changes: Changes;
  /** The roles that somebody else changed while something was unsaved. */
  readonly changedByOthers: readonly string[];
  readonly change: (wishes: readonly PermissionChange[]) => void;
  readonly clear: () => void;
}

/**
 * Keeps the unsaved changes when the roles are reloaded: changes that somebody else saved meanwhile are dropped, all
 * others stay, and `changedByOthers` names the roles that changed.
 */
export function usePermissionsDraft(roles: readonly Role[] | undefined): PermissionsDraft {
  const [changes, setChanges] = useState<Changes>(noChanges);
  const [knownRoles, setKnownRoles] = useState(roles);
  const [otherRoles, setOtherRoles] = useState<readonly string[]>([]);
  if (roles && roles !== knownRoles) {
    setKnownRoles(roles);
    if (knownRoles && changes.size > 0) {
      const changedRoles = roles.filter((role) => isDifferent(role, knownRoles));
      if (changedRoles.length > 0)
        setOtherRoles([...new Set([...otherRoles, ...changedRoles.map(({ role_name }) => role_name)])]);
      setChanges(remainingChanges(changes, roles));
    }
  }
  const set = (nextChanges: Changes) => {
    setChanges(nextChanges);
    if (nextChanges.size === 0) setOtherRoles([]);
  };
  return {
    changes,
    changedByOthers: otherRoles,
    change: (pendingChanges) => set(applyChanges(changes, pendingChanges)),
    clear: () => set(noChanges),
  };
}

function isDifferent(role: Role, knownRoles: readonly Role[]): boolean {
  const knownRole = knownRoles.find(({ role_id }) => role_id === role.role_id);
  return knownRole !== undefined && knownRole.modulePermission.join() !== role.modulePermission.join();
}
