import { isJsonObject } from './json';

/**
 * The structure of the value at a place of a definition: `keys` of an object with separate meanings, `entries` of a
 * list with identities, or one `whole`, such as a condition.
 */
export type MergeStructure = 'keys' | 'entries' | 'whole';

/**
 * Places with conditions or values, which must not be merged: a mix of two versions would mean something that nobody
 * wrote.
 */
const wholePlaces = [
  'fields/*/required',
  'fields/*/readOnly',
  'fields/*/visible',
  'fields/*/default',
  'fields/*/choices',
  'fields/*/transitions/*/when',
  'fields/*/computed',
  'parameters/*/where',
  'parameters/*/named/*',
  'list/filters/*/choices',
  'list/tabs/*/filter',
  'list/saved/*/filter',
  'list/saved/*/columns',
  'list/charts/*/where',
  'list/actions/*/visible',
  'list/actions/*/visibleOnRecord',
  'list/highlight/when',
  'list/highlight/*/when',
  'form/tabs/*/query',
  'form/tabs/*/visible',
  'page/stream/*/query',
  'requests/*/visible/*',
  'requests/*/where',
  'unique/*/where',
  'when/*/where',
  'when/*/do',
  'validate/*/must',
  'validate/*/when',
];

/** Lists of objects, and the key that identifies their entries. In other lists the whole entry is its identity. */
const identities: Readonly<Record<string, string>> = {
  'fields/*/options': 'value',
  'list/columns': 'field',
  'list/card/lines': 'field',
  'list/card/counts': 'field',
  'list/kanban/lines': 'field',
  'list/tabs': 'name',
  'list/saved': 'name',
  'list/charts': 'name',
  'list/actions': 'name',
  'list/highlight': 'label',
  'form/sections': 'label',
  'form/tabs': 'name',
  'page/stream': 'name',
  when: 'name',
};

function matchesPattern(pattern: string, steps: readonly string[]): boolean {
  const wanted = pattern.split('/');
  return wanted.length === steps.length && wanted.every((one, index) => one === '*' || one === steps[index]);
}

/** The structure of the value at a place. */
export function structureAt(steps: readonly string[], value: unknown): MergeStructure {
  if (wholePlaces.some((pattern) => matchesPattern(pattern, steps))) return 'whole';
  return isJsonObject(value) ? 'keys' : Array.isArray(value) ? 'entries' : 'whole';
}

/** The key that identifies the entries of the list at a place, if any. */
export function identityKey(steps: readonly string[]): string | undefined {
  return Object.entries(identities).find(([pattern]) => matchesPattern(pattern, steps))?.[1];
}

/** The identity of an entry of the list at a place: `start_date` for the column `"start_date*"`. */
export function identityOf(steps: readonly string[], entry: unknown): string {
  const key = identityKey(steps);
  if (key === undefined) return JSON.stringify(entry);
  if (isJsonObject(entry) && Object.hasOwn(entry, key)) return String(entry[key]);
  if (typeof entry !== 'string') return JSON.stringify(entry);
  return key === 'field' ? entry.replace(/[!*]+$/, '') : entry;
}
