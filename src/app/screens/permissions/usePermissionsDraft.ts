import { useState } from 'react';
import type { Role } from './api';
import { noChanges, remainingChanges, applyChanges, type Changes, type PermissionChange } from './changes';

/** The unsaved changes on top of the saved roles. */
export interface PermissionsDraft {
  readonly changes: Changes;
  /** The roles that somebody else changed while something was unsaved. */
  readonly changedByOthers: readonly string[];
  readonly change: (wishes: readonly PermissionChange[]) => void;
  readonly clear: () => void;
}

/**
 * Keeps the unsaved changes when the roles are reloaded: changes that somebody else saved meanwhile are dropped, all
 * others stay, and `others` names the roles that changed.
 */
export function usePermissionsDraft(roles: readonly Role[] | undefined): PermissionsDraft {
  const [changes, setChanges] = useState<Changes>(noChanges);
  const [known, setKnown] = useState(roles);
  const [others, setOthers] = useState<readonly string[]>([]);
  if (roles && roles !== known) {
    setKnown(roles);
    if (known && changes.size > 0) {
      const differing = roles.filter((role) => differs(role, known));
      if (differing.length > 0) setOthers([...new Set([...others, ...differing.map(({ role_name }) => role_name)])]);
      setChanges(remainingChanges(changes, roles));
    }
  }
  const set = (after: Changes) => {
    setChanges(after);
    if (after.size === 0) setOthers([]);
  };
  return {
    changes,
    changedByOthers: others,
    change: (wishes) => set(applyChanges(changes, wishes)),
    clear: () => set(noChanges),
  };
}

function differs(role: Role, known: readonly Role[]): boolean {
  const before = known.find(({ role_id }) => role_id === role.role_id);
  return before !== undefined && before.modulePermission.join() !== role.modulePermission.join();
}
