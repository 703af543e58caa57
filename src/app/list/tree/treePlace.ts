import type { Actor } from '../../../engine/access/actor';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import { treeName } from '../../../engine/conditions/tree';
import type { Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import type { ListState } from '../../../engine/lists/list-state';
import { isTreeClosed } from './rememberedTree';

/** Screens that have no space for the tree beside the list. */
export const narrowQuery = '@media (max-width: 1023px)';
/** Screens on which a list has space beside its tree for all of its usual columns. */
export const wideQuery = '@media (min-width: 1600px)';

/** The module whose records are the tree beside a list, for those who may list them. */
export function treeTarget(
  definition: Definition,
  registry: Pick<Registry, 'get'>,
  actor: Actor,
): Definition | undefined {
  const names = definition.list.tree ?? [];
  const target = registry.get(definition.fields[names[0] ?? '']?.to ?? '');
  if (!target || !isGranted(actor, target.name, 'list')) return undefined;
  const readable = grantedFields(actor, definition, 'list');
  return names.every((fieldName) => readable.has(fieldName)) ? target : undefined;
}

/** Whether the tree is closed when its list is opened: as the user left it, else on narrower screens. A link to a branch shows where it leads. */
export function isTreeBesideClosed(
  user: number,
  { name }: Definition,
  { filters }: ListState,
  isWide: boolean,
): boolean {
  return isTreeClosed(user, name) ?? (!isWide && String(filters[treeName] ?? '') === '');
}
