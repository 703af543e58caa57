import type { Actor } from '../../src/engine/access/actor';
import { isGranted } from '../../src/engine/access/decide';
import { narrowing, ruleForLevel } from '../../src/engine/access/rule-words';
import type { Action, Level } from '../../src/engine/definitions/definition';
import type { Role } from './calls';
import { studio, type Module } from './modules';

/** Allowed, allowed on some of the records, or denied. */
export type CellState = 'allowed' | 'own' | 'denied';

export const stateWords: Readonly<Record<CellState, string>> = {
  allowed: 'allowed',
  own: 'own or member',
  denied: 'denied',
};

/** How an action of a role shows, given whether it is granted. */
export function stateOf(module: Module, level: Level, action: Action, granted: boolean): CellState {
  if (!granted || isNever(module, level, action)) return 'denied';
  return module.definition && narrowing(module.definition, level, action).rows ? 'own' : 'allowed';
}

/** What the rules leave a level of an action, in words; nothing where there is no rule. */
export function rulesInWords(module: Module, level: Level, action: Action): string | undefined {
  const rules = module.definition ? narrowing(module.definition, level, action).rules : [];
  return rules.length > 0 ? rules.map(ruleForLevel).join('; or ') : undefined;
}

/** Why an action of a role cannot be changed; undefined where it can. */
export function fixedReason(actor: Actor, role: Role, module: Module, action: Action): string | undefined {
  if (module === studio) return 'The studio is level 1’s alone.';
  if (role.level === 1) return 'Level 1 always holds every permission.';
  const never = isNever(module, role.level, action);
  if (never) return never;
  if (role.fixed !== null) return role.fixed;
  return isGranted(actor, module.name, action) ? undefined : 'You can grant and take only what you hold yourself.';
}

/** Why no grant helps a level to an action; undefined where it does. */
function isNever({ label, definition }: Module, level: Level, action: Action): string | undefined {
  if (level === 1 || action === 'list' || action === 'view') return undefined;
  if (definition?.scope === 'installation') return `${label} belong to the installation; level 1 alone writes them.`;
  return definition?.scope === 'self' && action !== 'edit' ? `Level 1 alone makes and deletes ${label}.` : undefined;
}
