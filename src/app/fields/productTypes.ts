import { registerFieldTypes as registerInEngine, type AddedFieldType } from '../../engine/field-types';
import type { FieldTypeFacets } from './fieldType';
import { registerFieldTypes } from './registry';

/**
 * A field type of a product: what the engine knows about it, as on the server, and how the application shows it. Public
 * links are shown before the product's types are loaded, by the server's text.
 */
export type ProductFieldType = AddedFieldType & Omit<FieldTypeFacets, 'shared'>;

/**
 * Adds a product's field types to the engine and to the application. Returns a function that removes them. Throws if
 * there is another type of a name.
 *
 * @example
 * registerProductTypes({ rating: { type: rating, display: { Cell: Stars }, input: { Input: StarsInput } } });
 */
export function registerProductTypes(types: Readonly<Record<string, ProductFieldType>>): () => void {
  const removeFromEngine = registerInEngine(types);
  const removeHere = registerFieldTypes(types);
  return () => {
    removeFromEngine();
    removeHere();
  };
}
