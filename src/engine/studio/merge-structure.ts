import { placesAt, referencesOf, schemasAt } from '../references/walk';
import { isJsonObject } from '../formats/json';

/**
 * The structure of the value at a place of a definition: `keys` of an object with separate meanings, `entries` of a
 * list with identities, or one `whole`, such as a condition.
 */
export type MergeStructure = 'keys' | 'entries' | 'whole';

/**
 * The structure of the value at a place.
 *
 * @example structureAt(['fields', 'due', 'visible'], { state: 'open' }); // 'whole'
 */
export function structureAt(steps: readonly string[], value: unknown): MergeStructure {
  if (isWhole(steps)) return 'whole';
  return isJsonObject(value) ? 'keys' : Array.isArray(value) ? 'entries' : 'whole';
}

function isWhole(steps: readonly string[]): boolean {
  const schemaPlaces = placesAt(undefined, steps);
  return (
    schemasAt(schemaPlaces).some((schema) => schema.isWhole) ||
    referencesOf(schemaPlaces).some(({ kind }) => kind === 'condition' || kind === 'expression')
  );
}

/** The key that identifies the entries of the list at a place, if any. */
export function identityKey(steps: readonly string[]): string | undefined {
  return schemasAt(placesAt(undefined, steps)).findLast(({ identity }) => identity !== undefined)?.identity;
}

/** The identity of an entry of the list at a place: `start_date` for the column `"start_date*"`. */
export function identityOf(steps: readonly string[], entry: unknown): string {
  const key = identityKey(steps);
  if (key === undefined) return JSON.stringify(entry);
  if (isJsonObject(entry) && Object.hasOwn(entry, key)) return String(entry[key]);
  if (typeof entry !== 'string') return JSON.stringify(entry);
  return key === 'field' ? entry.replace(/[!*]+$/, '') : entry;
}
