import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/access-decision';
import { actions, type Action } from '../../engine/definitions/definition';

/** A scope, such as `tasks.list`; `*` stands for any module, `:type` for the one that a parameter of the path names. */
export type Scope = `${string}.${Action}`;

/**
 * Who may make a call on which no single grant decides: `public`: anybody; `person`: whoever is signed in, but no service
 * account; `level`: those for whom `shownTo` and `refusal` say so, and no service account that is limited to scopes;
 * scopes: everybody, as far as their grants allow what it answers, and of the service accounts that are limited to scopes
 * those that have one of them.
 */
export type CallScope = 'public' | 'person' | 'level' | readonly Scope[];

/** Any scope at all: for calls whose answer has only what the caller's grants allow. */
export const anyScope: readonly Scope[] = actions.map((action): Scope => `*.${action}`);

/**
 * Whether an actor has one of the scopes. `params` are those of the path.
 *
 * @example hasScope(actor, [':type.view'], { type: 'tasks' }); // isGranted(actor, 'tasks', 'view')
 */
export function hasScope(
  actor: Actor,
  scopes: readonly Scope[],
  params: Readonly<Record<string, string | undefined>> = {},
): boolean {
  return scopes.some((scope) => {
    const separatorIndex = scope.lastIndexOf('.');
    const [module, action] = [scope.slice(0, separatorIndex), scope.slice(separatorIndex + 1) as Action];
    if (module === '*') return Object.values(actor.permissions).some((moduleActions) => moduleActions.includes(action));
    return isGranted(actor, module.startsWith(':') ? (params[module.slice(1)] ?? '') : module, action);
  });
}
