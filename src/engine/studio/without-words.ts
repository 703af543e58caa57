import type { Source } from '../language/source';
import { placesBelow, rootPlaces, type Place } from '../references/walk';
import { isJsonObject } from '../formats/json';

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

function valueWithoutWords(value: unknown, schemaPlaces: readonly Place[]): unknown {
  if (typeof value === 'string') return isShownOnly(schemaPlaces) ? undefined : value;
  if (Array.isArray(value))
    return value.map((entry, index) => valueWithoutWords(entry, placesBelow(schemaPlaces, String(index), entry)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    valueWithoutWords(member, placesBelow(schemaPlaces, key, member)),
  ]);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

/** Whether a text is any text: it names nothing, and is none of some values. */
function isShownOnly(schemaPlaces: readonly Place[]): boolean {
  const schemas = schemaPlaces.map(({ schema }) => schema);
  const isRestricted = schemas.some((schema) => schema.reference ?? schema.enum ?? schema.pattern ?? schema.format);
  return schemas.some(({ type }) => type === 'string') && !isRestricted && !schemas.some((schema) => 'const' in schema);
}
