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
