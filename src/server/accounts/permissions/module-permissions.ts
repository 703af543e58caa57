import { actions, type Action } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { grantId } from './grants';

/** A module with the grants that roles can have on it. */
export interface ModulePermissions {
  readonly module: string;
  readonly label: string;
  readonly actions: readonly { readonly id: string; readonly action: Action }[];
}

/** Everything that can be granted: the tree in the role form. */
export function modulePermissions(registry: Registry): ModulePermissions[] {
  const grantable = [...registry.definitions.values()].filter(({ system }) => !system);
  return grantable.map(({ name, labels }) => ({
    module: name,
    label: labels.many,
    actions: actions.map((action) => ({ id: grantId(name, action), action })),
  }));
}
