import { isJsonObject, parsePointer, valueAtPath, type JsonObject } from '../formats/json';
import { joinPointer, type Problem } from '../definitions/problems';
import type { Source } from '../language/source';
import { itemAt } from '../values/lookups';

/**
 * The changes of a product to a definition of the system: keys of a definition, merged into it, and places to remove
 * first. See `schemas/extension.schema.json`.
 */
export interface Extension extends JsonObject {
  readonly extends: string;
  readonly remove?: readonly string[];
}

/** The keys of an extension that are not keys of a definition. */
const OWN_KEYS = ['$schema', 'extends', 'remove'];

/**
 * The problems of an extension apart from those of the definition that it results in.
 *
 * @example checkExtension(users, { extends: 'users', fields: { team: { type: 'text' } } }); // []
 */
export function checkExtension(base: JsonObject, extension: unknown): Problem[] {
  if (!isJsonObject(extension)) return [{ path: '', message: 'This must be an object.' }];
  const { name } = base;
  const problems: Problem[] = [];
  if (extension.extends !== name) problems.push({ path: '/extends', message: `This must be ${JSON.stringify(name)}.` });
  if ('name' in extension)
    problems.push({ path: '/name', message: 'An extension must not change the name of the definition.' });
  const { remove = [] } = extension;
  if (!Array.isArray(remove))
    return [...problems, { path: '/remove', message: 'This must be a list of keys, such as "/fields/phone".' }];
  for (const [index, pointer] of remove.entries()) {
    if (typeof pointer === 'string' && hasKeyAt(base, parsePointer(pointer))) continue;
    const message = `${JSON.stringify(pointer)} is not a key of the extended definition. Write it like "/fields/phone".`;
    problems.push({ path: joinPointer('/remove', index), message });
  }
  return problems;
}

/**
 * Applies an extension to a definition: first the removals, then objects are merged key by key; lists and single values
 * are replaced. A new key comes before the next key of the extension that the definition has too, otherwise at the end.
 *
 * @example extendSource(users, { extends: 'users', fields: { team: { type: 'text' }, email: {} } }); // team before email
 */
export function extendSource(base: JsonObject, extension: Extension): JsonObject {
  const remainingSource = (extension.remove ?? []).reduce(
    (value, pointer) => withoutPath(value, parsePointer(pointer)),
    base,
  );
  const patch = Object.fromEntries(Object.entries(extension).filter(([key]) => !OWN_KEYS.includes(key)));
  return mergeKeys(remainingSource, patch);
}

/** The extension that turns a definition into another one with the same name: the inverse of `extendSource`. */
export function createExtension(base: Source, target: Source): Extension {
  const remove: string[] = [];
  const { name: _name, ...patch } = diffKeys(
    base as unknown as JsonObject,
    target as unknown as JsonObject,
    '',
    remove,
  );
  return {
    $schema: '../schemas/extension.schema.json',
    extends: base.name,
    ...(remove.length > 0 && { remove }),
    ...patch,
  };
}

function hasKeyAt(base: JsonObject, steps: readonly string[]): boolean {
  const parent = valueAtPath(base, steps.slice(0, -1));
  return isJsonObject(parent) && Object.hasOwn(parent, steps.at(-1) ?? '');
}

function withoutPath(value: JsonObject, [step = '', ...rest]: readonly string[]): JsonObject {
  const entries = Object.entries(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== step));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, key === step && isJsonObject(part) ? withoutPath(part, rest) : part]),
  );
}

function mergeKeys(base: JsonObject, patch: JsonObject): JsonObject {
  const entries = Object.entries(base);
  let next: string | undefined;
  for (const [key, value] of Object.entries(patch).reverse()) {
    const index = entries.findIndex(([entryKey]) => entryKey === key);
    if (index >= 0) {
      const baseValue = itemAt(entries, index)[1];
      entries[index] = [key, isJsonObject(baseValue) && isJsonObject(value) ? mergeKeys(baseValue, value) : value];
    } else {
      const position = entries.findIndex(([entryKey]) => entryKey === next);
      entries.splice(position < 0 ? entries.length : position, 0, [key, value]);
    }
    next = key;
  }
  return Object.fromEntries(entries);
}

/** The patch between two objects; appends the places to remove. */
function diffKeys(base: JsonObject, target: JsonObject, path: string, remove: string[]): JsonObject {
  const commonKeys = Object.keys(base).filter((key) => Object.hasOwn(target, key));
  const targetOrder = Object.keys(target).filter((key) => Object.hasOwn(base, key));
  // Keys in another order are removed and added again.
  const mismatch = commonKeys.findIndex((key, index) => key !== targetOrder[index]);
  const keptKeys = new Set(mismatch < 0 ? commonKeys : commonKeys.slice(0, mismatch));
  remove.push(...Object.keys(base).flatMap((key) => (keptKeys.has(key) ? [] : [joinPointer(path, key)])));
  const patch: [string, unknown][] = [];
  let isAdded = false;
  for (const [key, value] of Object.entries(target)) {
    const baseValue = base[key];
    if (!keptKeys.has(key)) {
      patch.push([key, value]);
    } else if (isJsonObject(baseValue) && isJsonObject(value)) {
      const inner = diffKeys(baseValue, value, joinPointer(path, key), remove);
      if (isAdded || Object.keys(inner).length > 0) patch.push([key, inner]);
    } else if (isAdded || JSON.stringify(baseValue) !== JSON.stringify(value)) {
      patch.push([key, value]);
    }
    isAdded = !keptKeys.has(key);
  }
  return Object.fromEntries(patch);
}
