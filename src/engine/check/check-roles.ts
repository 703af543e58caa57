import { namesIn } from '../references/names-in';
import { joinPointer, closestName, type Problem } from '../definitions/problems';
import type { Source } from '../language/source';

/** A key of a role that a definition names, and where. */
export interface NamedRole {
  readonly path: string;
  readonly key: string;
}

/**
 * The keys of roles that a definition names: in `roles`, and in conditions on `$actor.role`.
 *
 * @example namedRoles(source); // [{ path: '/rules/0/roles/0', key: 'warehouse' }]
 */
export function namedRoles(source: Source): NamedRole[] {
  const names = namesIn(source).filter(({ reference }) => reference.kind === 'role');
  return [
    ...names.map(({ name, steps }) => ({ path: joinPointer('', ...steps), key: name })),
    ...comparedRoles(source, ''),
  ];
}

/** The keys of roles that conditions compare with. */
function comparedRoles(value: unknown, path: string): NamedRole[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const inner = joinPointer(path, key);
    return key === '$actor.role' ? textsIn(part, inner) : comparedRoles(part, inner);
  });
}

function textsIn(value: unknown, path: string): NamedRole[] {
  if (typeof value === 'string') return value.startsWith('$') ? [] : [{ path, key: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, joinPointer(path, key)));
}

const mostShown = 12;

/**
 * The roles that a definition names and that do not exist. `remedy` says how to add one.
 *
 * @example unknownRoleProblems(source, ['manager', 'warehouse'], 'Create the role first.').length; // 0
 */
export function unknownRoleProblems(source: Source, roleKeys: readonly string[], remedy: string): Problem[] {
  return namedRoles(source)
    .filter(({ key }) => !roleKeys.includes(key))
    .map(({ path, key }) => {
      const guess = closestName(key, roleKeys);
      const rest = roleKeys.length - mostShown;
      const names = [...roleKeys.slice(0, mostShown), ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
      return {
        path,
        message: `No role has the key "${key}".${guess === undefined ? '' : ` Did you mean "${guess}"?`} There are ${names}. ${remedy}`,
      };
    });
}
