import { actions, type Action } from '../../../engine/definitions/definition';
import type { Role, RoleChange, MatrixModule } from './api';

/** The unsaved changes of one module: by role and action (`4.edit`), whether it is to be granted. */
export type ModuleChanges = ReadonlyMap<string, boolean>;
/** The unsaved changes by module. A module whose changes are the same keeps its map, so that its row does not render again. */
export type Changes = ReadonlyMap<string, ModuleChanges>;

/** A change: grants or revokes an action of a role on a module. */
export interface PermissionChange {
  readonly role: Role;
  readonly module: string;
  readonly action: Action;
  readonly grants: boolean;
}

export const noChanges: Changes = new Map();
const changeKey = (role: Role, action: Action) => `${role.role_id}.${action}`;

/** Whether a role's saved grants include an action. */
export function isGrantSaved(role: Role, module: string, action: Action): boolean {
  return role.modulePermission.includes(`${module}.${action}`);
}

/** Whether a role grants an action, including unsaved changes. */
export function isGrantedWithChanges(
  role: Role,
  module: string,
  action: Action,
  changes: ModuleChanges | undefined,
): boolean {
  return changes?.get(changeKey(role, action)) ?? isGrantSaved(role, module, action);
}

/** Whether this action has an unsaved change. */
export function isChanged(role: Role, action: Action, changes: ModuleChanges | undefined): boolean {
  return changes?.has(changeKey(role, action)) ?? false;
}

/** The changes with more of them; one that equals the saved state is removed. */
export function applyChanges(changes: Changes, pendingChanges: readonly PermissionChange[]): Changes {
  const newChanges = new Map(changes);
  for (const { role, module, action, grants } of pendingChanges) {
    const moduleChanges = new Map(newChanges.get(module));
    if (grants === isGrantSaved(role, module, action)) moduleChanges.delete(changeKey(role, action));
    else moduleChanges.set(changeKey(role, action), grants);
    if (moduleChanges.size > 0) newChanges.set(module, moduleChanges);
    else newChanges.delete(module);
  }
  return newChanges;
}

/** The changes that still differ from the roles, after the roles were reloaded. */
export function remainingChanges(changes: Changes, roles: readonly Role[]): Changes {
  const pendingChanges = listChanges(changes, roles);
  const left = applyChanges(noChanges, pendingChanges);
  return left.size === changes.size && countChanges(left) === countChanges(changes) ? changes : left;
}

/** The changes one by one, in the order of the roles. */
export function listChanges(changes: Changes, roles: readonly Role[]): PermissionChange[] {
  return roles.flatMap((role) =>
    [...changes].flatMap(([module, moduleChanges]) =>
      actions.flatMap((action) => {
        const grants = moduleChanges.get(changeKey(role, action));
        return grants === undefined ? [] : [{ role, module, action, grants }];
      }),
    ),
  );
}

export function countChanges(changes: Changes): number {
  return [...changes.values()].reduce((sum, moduleChanges) => sum + moduleChanges.size, 0);
}

/** The request body: the new grants of each changed role. */
export function roleChanges(changes: Changes, roles: readonly Role[]): RoleChange[] {
  const pendingChanges = listChanges(changes, roles);
  return roles.flatMap((role) => {
    const ownChanges = pendingChanges.filter((change) => change.role === role);
    if (ownChanges.length === 0) return [];
    const permissions = new Set(role.modulePermission);
    for (const { module, action, grants } of ownChanges) {
      if (grants) permissions.add(`${module}.${action}`);
      else permissions.delete(`${module}.${action}`);
    }
    return [{ role_id: role.role_id, before: role.modulePermission, modulePermission: [...permissions] }];
  });
}

/** The choices in the menu of a row or column: all actions, those that read, or none. */
export const fillings = ['All', 'Read', 'None'] as const;
export type Filling = (typeof fillings)[number];

/** The changes that a filling makes to some roles and modules; fixed cells stay. */
export function fillChanges(
  preset: Filling,
  roles: readonly Role[],
  modules: readonly MatrixModule[],
  isFixed: (role: Role, module: MatrixModule, action: Action) => boolean,
): PermissionChange[] {
  const isInPreset = (action: Action) =>
    preset === 'All' || (preset === 'Read' && (action === 'list' || action === 'view'));
  return roles.flatMap((role) =>
    modules.flatMap((module) =>
      actions
        .filter((action) => !isFixed(role, module, action))
        .map((action) => ({ role, module: module.name, action, grants: isInPreset(action) })),
    ),
  );
}
