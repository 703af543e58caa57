import { columnTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isRelations } from '../field-types/relations';
import { isRows } from '../field-types/rows';
import type { Definition, Field } from '../definitions/definition';

/**
 * The property names of a field in responses to users who can read it, in a list page or a single record.
 *
 * @example responseNamesOf(projectId, 'list'); // ['project_id', 'project']
 */
export function responseNamesOf(field: Field, kind: 'list' | 'one'): readonly string[] {
  const { name, embed, sum, inLists, secret, computed: computation, virtual } = field;
  if (secret) return [];
  if (isInverse(field)) {
    if (kind === 'one' || inLists === 'records') return [name];
    return inLists === 'count' ? [field.countName, ...(sum ? [sum.name] : [])] : [];
  }
  if (isRows(field)) {
    if (kind === 'one' || inLists === 'records') return [name];
    return inLists === 'count' ? [field.countName] : [];
  }
  if (isRelations(field)) {
    if (kind === 'list' && inLists === 'count') return [name, field.countName];
    return embed && (kind === 'one' || inLists === 'records') ? [name, embed] : [name];
  }
  if (computation === undefined && columnTypeOf(field) === null && !virtual) return [];
  return embed ? [name, embed] : [name];
}

/**
 * The names that a request can ask for: those of the response, and rows, which lists have only if they are asked for.
 *
 * @example requestableNames(definition, 'list').has('project'); // ?fields=project is answered
 */
export function requestableNames(definition: Definition, kind: 'list' | 'one'): ReadonlySet<string> {
  const names = responseNames(definition, kind);
  const rows = Object.values(definition.fields).filter((field) => isRows(field) && !field.secret);
  return rows.length === 0 ? names : new Set([...names, ...rows.map(({ name }) => name)]);
}

const responseNamesCache = {
  list: new WeakMap<Definition, ReadonlySet<string>>(),
  one: new WeakMap<Definition, ReadonlySet<string>>(),
};

/** Every property name that a response can contain, in the order of the fields. */
export function responseNames(definition: Definition, kind: 'list' | 'one'): ReadonlySet<string> {
  let names = responseNamesCache[kind].get(definition);
  if (!names) {
    names = new Set(Object.values(definition.fields).flatMap((field) => responseNamesOf(field, kind)));
    responseNamesCache[kind].set(definition, names);
  }
  return names;
}
