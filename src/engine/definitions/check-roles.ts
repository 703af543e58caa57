import { joinPointer, closestName, type Problem } from './problems';
import type { Source } from './source';

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
  const { rules, requests, fields, list, automations, comments } = source;
  const found: NamedRole[] = [];
  const take = (value: unknown, path: string) => {
    const keys = Array.isArray(value) ? value : [value];
    keys.forEach((key, index) => {
      if (typeof key === 'string' && !key.startsWith('$'))
        found.push({ path: Array.isArray(value) ? joinPointer(path, index) : path, key });
    });
  };
  const walk = (value: unknown, path: string, isPlace: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      const at = joinPointer(path, key);
      if (key === '$actor.role') {
        const operands = typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.entries(one) : [];
        if (operands.length === 0) take(one, at);
        for (const [operator, operand] of operands) take(operand, joinPointer(at, operator));
      } else if (key === 'roles' && isPlace && Array.isArray(one)) take(one, at);
      else walk(one, at, isPlace || Array.isArray(value));
    }
  };
  walk(rules, '/rules', true);
  walk(requests, '/requests', true);
  walk(fields, '/fields', true);
  walk(list, '/list', true);
  walk(automations, '/automations', true);
  walk(comments, '/comments', true);
  for (const part of ['form', 'delete', 'archive', 'validate', 'unique', 'parameters'] as const)
    walk(source[part], `/${part}`, false);
  return found;
}

const mostShown = 12;

/**
 * The roles that a definition names and that do not exist. `remedy` says how to add one.
 *
 * @example unknownRoleProblems(source, ['manager', 'warehouse'], 'Create the role first.').length; // 0
 */
export function unknownRoleProblems(source: Source, known: readonly string[], remedy: string): Problem[] {
  return namedRoles(source)
    .filter(({ key }) => !known.includes(key))
    .map(({ path, key }) => {
      const guess = closestName(key, known);
      const rest = known.length - mostShown;
      const names = [...known.slice(0, mostShown), ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
      return {
        path,
        message: `No role has the key "${key}".${guess === undefined ? '' : ` Did you mean "${guess}"?`} There are ${names}. ${remedy}`,
      };
    });
}
