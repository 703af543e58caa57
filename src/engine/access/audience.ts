import {
  levels as allLevels,
  type Audience,
  type Definition,
  type RoleHolder,
  type RoleName,
} from '../definitions/definition';
import type { Registry } from '../definitions/registry';
import { joinNames } from './join-names';

export type { RoleHolder, RoleName };

/**
 * Whether a role is among those that something is for.
 *
 * @example isAmong({ level: 5, role: 'warehouse' }, { levels: [1, 2], roles: ['warehouse'] }); // true
 */
export function isAmong({ level, role }: RoleHolder, { levels, roles }: Audience): boolean {
  if (!levels && !roles) return true;
  return (levels?.includes(level) ?? false) || (role !== undefined && (roles?.includes(role) ?? false));
}

/** The shipped roles by level, for places that do not know the roles of the company. */
export const shippedRoleNames: readonly RoleName[] = (
  ['Administrator', 'Company Owner', 'Manager', 'Developer', 'QA', 'External User'] as const
).map((name, index) => ({ key: toRoleKey(name), name, level: allLevels[index]! }));

const mostNames = 6;

/**
 * The names of the roles that something is for: `Manager and Warehouse`. A key that no known role has is shown as it is.
 *
 * @example describeAudience({ levels: [3], roles: ['warehouse'] }, actor.roles); // 'Manager and Warehouse'
 */
export function describeAudience(audience: Audience, known: readonly RoleName[] = shippedRoleNames): string {
  return joinNames(audienceNames(audience, known));
}

/**
 * The same names as a list, shortened if they are many: `everybody`, `nobody` and `other roles`, for somebody who may know
 * no roles, are one name.
 *
 * @example audienceNames({ levels: [1, 2] }); // ['Administrator', 'Company Owner']
 */
export function audienceNames(audience: Audience, known: readonly RoleName[] = shippedRoleNames): string[] {
  if (!audience.levels && !audience.roles) return ['everybody'];
  if (known.length === 0) return ['other roles'];
  const meant = known.filter(({ level, key }) => isAmong({ level, role: key }, audience));
  const others = (audience.roles ?? []).filter((key) => !known.some((role) => role.key === key));
  if (known.length > 1 && meant.length === known.length) return ['everybody'];
  const names = [...meant.map(({ name }) => name), ...others];
  if (names.length === 0) return ['nobody'];
  const rest = names.length - mostNames;
  return rest > 1 ? [...names.slice(0, mostNames), `${rest} other roles`] : names;
}

/**
 * The key of a role with this name: `Warehouse (night)` has `warehouse-night`.
 *
 * @example toRoleKey('Warehouse'); // 'warehouse'
 */
export function toRoleKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-+$/, '') || 'role'
  );
}

const ruledRoles = new WeakMap<Definition, ReadonlySet<string>>();
const ruledRolesOfAll = new WeakMap<Registry, ReadonlySet<string>>();

/** The roles that the rules of a definition name. */
function rolesInRules(definition: Definition): ReadonlySet<string> {
  let found = ruledRoles.get(definition);
  if (!found) ruledRoles.set(definition, (found = new Set(definition.rules.flatMap(({ roles }) => roles ?? []))));
  return found;
}

/**
 * Identifies the rules that apply to an actor, of one definition or of all: two actors with the same key have the same
 * rules. A role counts only where a rule names it, so that roles that nobody names share what is cached.
 *
 * @example ruleKey(actor, definition); // '4', or '4 warehouse' if a rule names the actor's role
 */
export function ruleKey(actor: RoleHolder & { readonly viewer?: RoleHolder }, of: Definition | Registry): string {
  const named = 'definitions' in of ? rolesInAllRules(of) : rolesInRules(of);
  const own = actor.role !== undefined && named.has(actor.role) ? `${actor.level} ${actor.role}` : String(actor.level);
  return actor.viewer ? `${own}as${ruleKey(actor.viewer, of)}` : own;
}

function rolesInAllRules(registry: Registry): ReadonlySet<string> {
  let found = ruledRolesOfAll.get(registry);
  if (!found) {
    found = new Set([...registry.definitions.values()].flatMap((definition) => [...rolesInRules(definition)]));
    ruledRolesOfAll.set(registry, found);
  }
  return found;
}
