import type { PartKinds } from '../language/key';
import { isSameJson, type JsonObject } from '../formats/json';
import type { PartKey } from './part-keys';

/**
 * The kind of a part, by the key that makes it one; undefined as long as it has none.
 *
 * @example kindOfPart({ webhook: 'chat' }, kinds); // 'webhook'
 */
export function kindOfPart(part: JsonObject, { by: kinds }: PartKinds): string | undefined {
  return Object.keys(kinds).findLast((kind) => part[kind] !== undefined);
}

/**
 * The names of the keys that belong to a kind: the one that makes a part one of it, then the others.
 *
 * @example keysOfKind(kinds, 'notify'); // ['notify', 'text']
 */
export function keysOfKind({ by: kinds }: PartKinds, kind: string): readonly string[] {
  return [kind, ...(kinds[kind]?.keys ?? [])];
}

/**
 * The names of the keys that belong to kinds.
 *
 * @example keysOfKinds(kinds).has('text'); // true
 */
export function keysOfKinds(kinds: PartKinds): ReadonlySet<string> {
  return new Set(Object.keys(kinds.by).flatMap((kind) => keysOfKind(kinds, kind)));
}

/**
 * A part of another kind. The keys of the former kind go, all else stays, keys that are not known here included.
 *
 * @param initialValues the values that a part of this kind begins with, which it gets where it has none, or the default.
 * @example withKind({ webhook: 'chat' }, kinds, 'set', { set: {} }, keys); // { set: {} }
 */
export function withKind(
  part: JsonObject,
  kinds: PartKinds,
  kind: string,
  initialValues: JsonObject,
  keys: readonly PartKey[],
): JsonObject {
  const names = keysOfKind(kinds, kind);
  const kindKeys = keysOfKinds(kinds);
  const left = Object.entries(part).filter(([name]) => !kindKeys.has(name) || names.includes(name));
  const missingValues = Object.entries(initialValues).filter(([name]) => {
    const defaultValue = keys.find((key) => key.name === name)?.description.usual;
    return part[name] === undefined || isSameJson(part[name], defaultValue);
  });
  return Object.fromEntries([...left, ...missingValues]);
}
