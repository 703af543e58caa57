import { Level } from '../../../engine/definitions/level';
import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import { rulesForRole, describeRuleForRole } from '../../../engine/access/describe-rules';
import type { Action } from '../../../engine/definitions/definition';
import { roleHolder, type Role, studioModule, type MatrixModule } from './api';

/** Allowed, allowed for some records, or denied. */
export type CellState = 'allowed' | 'own' | 'denied';

export const stateLabels: Readonly<Record<CellState, string>> = {
  allowed: 'allowed',
  own: 'own or member',
  denied: 'denied',
};

/** The state of a role's action, given whether it is granted. */
export function cellState(module: MatrixModule, role: Role, action: Action, hasGrant: boolean): CellState {
  if (!hasGrant || neverReason(module, role.level, action)) return 'denied';
  return module.definition && rulesForRole(module.definition, roleHolder(role), action).rows ? 'own' : 'allowed';
}

/** The rules that restrict an action for a role, in words; undefined if there is none. */
export function describeRules(module: MatrixModule, role: Role, action: Action): string | undefined {
  const rules = module.definition ? rulesForRole(module.definition, roleHolder(role), action).rules : [];
  return rules.length > 0 ? rules.map(describeRuleForRole).join('; or ') : undefined;
}

/** Why an action of a role cannot be changed; undefined if it can. */
export function fixedReason(actor: Actor, role: Role, module: MatrixModule, action: Action): string | undefined {
  if (module === studioModule) return 'Only administrators of the installation can use the studio.';
  if (role.level === Level.Installation) return 'Administrators of the installation always have every permission.';
  const impossibleReason = neverReason(module, role.level, action);
  if (impossibleReason) return impossibleReason;
  if (role.fixed !== null) return role.fixed;
  return isGranted(actor, module.name, action)
    ? undefined
    : 'You can grant and revoke only permissions that you have yourself.';
}

/** Why a level can never have an action, whatever is granted; undefined if it can. */
function neverReason({ label, definition }: MatrixModule, level: Level, action: Action): string | undefined {
  if (level === Level.Installation || action === 'list' || action === 'view') return undefined;
  if (definition?.scope === 'installation')
    return `${label} belong to the installation; only its administrators can change them.`;
  return definition?.scope === 'self' && action !== 'edit'
    ? `Only administrators of the installation can create and delete ${label}.`
    : undefined;
}
