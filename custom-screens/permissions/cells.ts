import type { Actor } from '../../src/engine/access/actor';
import { isGranted } from '../../src/engine/access/decide';
import { narrowing, ruleForLevel } from '../../src/engine/access/rule-words';
import type { Action, Level } from '../../src/engine/definitions/definition';
import type { Role } from './calls';
import { studio, type Module } from './modules';

/** Allowed, allowed for some records, or denied. */
export type CellState = 'allowed' | 'own' | 'denied';

export const stateWords: Readonly<Record<CellState, string>> = {
  allowed: 'allowed',
  own: 'own or member',
  denied: 'denied',
};

/** The state of a role's action, given whether it is granted. */
export function stateOf(module: Module, level: Level, action: Action, granted: boolean): CellState {
  if (!granted || isNever(module, level, action)) return 'denied';
  return module.definition && narrowing(module.definition, level, action).rows ? 'own' : 'allowed';
}

/** The rules that restrict an action for a level, in words; undefined if there is none. */
export function rulesInWords(module: Module, level: Level, action: Action): string | undefined {
  const rules = module.definition ? narrowing(module.definition, level, action).rules : [];
  return rules.length > 0 ? rules.map(ruleForLevel).join('; or ') : undefined;
}

/** Why an action of a role cannot be changed; undefined if it can. */
export function fixedReason(actor: Actor, role: Role, module: Module, action: Action): string | undefined {
  if (module === studio) return 'Only level 1 can use the studio.';
  if (role.level === 1) return 'Level 1 always has every permission.';
  const never = isNever(module, role.level, action);
  if (never) return never;
  if (role.fixed !== null) return role.fixed;
  return isGranted(actor, module.name, action)
    ? undefined
    : 'You can grant and revoke only permissions that you have yourself.';
}

/** Why a level can never have an action, whatever is granted; undefined if it can. */
function isNever({ label, definition }: Module, level: Level, action: Action): string | undefined {
  if (level === 1 || action === 'list' || action === 'view') return undefined;
  if (definition?.scope === 'installation') return `${label} belong to the installation; only level 1 can change them.`;
  return definition?.scope === 'self' && action !== 'edit' ? `Only level 1 can create and delete ${label}.` : undefined;
}
