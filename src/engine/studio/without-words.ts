import type { Source } from '../definitions/source';
import { placesBelow, rootPlaces, type Place } from '../language/walk';
import { isJsonObject } from './json';

/**
 * A definition without the words that are only shown: labels, help and messages. Two drafts that are equal without them
 * read the same records.
 *
 * @example withoutWords({ name: 'deals', labels: { one: 'Deal', many: 'Deals' }, fields: {} });
 * // { name: 'deals', labels: {}, fields: {} }
 */
export function withoutWords(source: Source): unknown {
  return valueWithoutWords(source, rootPlaces(source));
}

function valueWithoutWords(value: unknown, places: readonly Place[]): unknown {
  if (typeof value === 'string') return isShownOnly(places) ? undefined : value;
  if (Array.isArray(value))
    return value.map((entry, index) => valueWithoutWords(entry, placesBelow(places, String(index), entry)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    valueWithoutWords(one, placesBelow(places, key, one)),
  ]);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

/** Whether a text is any text: it names nothing, and is none of some values. */
function isShownOnly(places: readonly Place[]): boolean {
  const schemas = places.map(({ schema }) => schema);
  const isRestricted = schemas.some((schema) => schema.reference ?? schema.enum ?? schema.pattern ?? schema.format);
  return schemas.some(({ type }) => type === 'string') && !isRestricted && !schemas.some((schema) => 'const' in schema);
}
