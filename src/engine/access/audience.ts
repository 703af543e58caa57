import {
  levels as allLevels,
  type Audience,
  type Definition,
  type RoleHolder,
  type RoleName,
} from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { joinNames } from '../formats/join-names';
import { itemAt } from '../values/lookups';

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
).map((name, index) => ({ key: toRoleKey(name), name, level: itemAt(allLevels, index) }));

const mostNames = 6;

/**
 * The names of the roles that something is for: `Manager and Warehouse`. A key that no known role has is shown as it is.
 *
 * @example describeAudience({ levels: [3], roles: ['warehouse'] }, actor.roles); // 'Manager and Warehouse'
 */
export function describeAudience(audience: Audience, roleNames: readonly RoleName[] = shippedRoleNames): string {
  return joinNames(audienceNames(audience, roleNames));
}

/**
 * The same names as a list, shortened if they are many: `everybody`, `nobody` and `other roles`, for somebody who may know
 * no roles, are one name.
 *
 * @example audienceNames({ levels: [1, 2] }); // ['Administrator', 'Company Owner']
 */
export function audienceNames(audience: Audience, roleNames: readonly RoleName[] = shippedRoleNames): string[] {
  if (!audience.levels && !audience.roles) return ['everybody'];
  if (roleNames.length === 0) return ['other roles'];
  const namedRoles = roleNames.filter(({ level, key }) => isAmong({ level, role: key }, audience));
  const unknownKeys = (audience.roles ?? []).filter((key) => !roleNames.some((role) => role.key === key));
  if (roleNames.length > 1 && namedRoles.length === roleNames.length) return ['everybody'];
  const names = [...namedRoles.map(({ name }) => name), ...unknownKeys];
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
  const asciiName = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return (
    asciiName
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
  let roleKeys = ruledRoles.get(definition);
  if (!roleKeys) ruledRoles.set(definition, (roleKeys = new Set(definition.rules.flatMap(({ roles }) => roles ?? []))));
  return roleKeys;
}

/**
 * Identifies the rules that apply to an actor, of one definition or of all: two actors with the same key have the same
 * rules. A role counts only where a rule names it, so that roles that nobody names share what is cached.
 *
 * @example ruleKey(actor, definition); // '4', or '4 warehouse' if a rule names the actor's role
 */
export function ruleKey(actor: RoleHolder & { readonly viewer?: RoleHolder }, scope: Definition | Registry): string {
  const ruledKeys = 'definitions' in scope ? rolesInAllRules(scope) : rolesInRules(scope);
  const ownKey =
    actor.role !== undefined && ruledKeys.has(actor.role) ? `${actor.level} ${actor.role}` : String(actor.level);
  return actor.viewer ? `${ownKey}as${ruleKey(actor.viewer, scope)}` : ownKey;
}

function rolesInAllRules(registry: Registry): ReadonlySet<string> {
  let roleKeys = ruledRolesOfAll.get(registry);
  if (!roleKeys) {
    roleKeys = new Set([...registry.definitions.values()].flatMap((definition) => [...rolesInRules(definition)]));
    ruledRolesOfAll.set(registry, roleKeys);
  }
  return roleKeys;
}
