import { useState } from 'react';
import type { Role } from './calls';
import { noChanges, stillOpen, withWishes, type Changes, type Wish } from './draft';

/** The unsaved changes on top of the saved roles. */
export interface Draft {
  readonly changes: Changes;
  /** The roles that somebody else changed while something was unsaved. */
  readonly others: readonly string[];
  readonly wish: (wishes: readonly Wish[]) => void;
  readonly clear: () => void;
}

/**
 * Keeps the unsaved changes when the roles are reloaded: changes that somebody else saved meanwhile are dropped, all
 * others stay, and `others` names the roles that changed.
 */
export function useDraft(roles: readonly Role[] | undefined): Draft {
  const [changes, setChanges] = useState<Changes>(noChanges);
  const [known, setKnown] = useState(roles);
  const [others, setOthers] = useState<readonly string[]>([]);
  if (roles && roles !== known) {
    setKnown(roles);
    if (known && changes.size > 0) {
      const differing = roles.filter((role) => differs(role, known));
      if (differing.length > 0) setOthers([...new Set([...others, ...differing.map(({ role_name }) => role_name)])]);
      setChanges(stillOpen(changes, roles));
    }
  }
  const set = (after: Changes) => {
    setChanges(after);
    if (after.size === 0) setOthers([]);
  };
  return {
    changes,
    others,
    wish: (wishes) => set(withWishes(changes, wishes)),
    clear: () => set(noChanges),
  };
}

function differs(role: Role, known: readonly Role[]): boolean {
  const before = known.find(({ role_id }) => role_id === role.role_id);
  return before !== undefined && before.modulePermission.join() !== role.modulePermission.join();
}
