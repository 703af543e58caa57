import type { Field } from '../../engine/definitions/definition';
import type { FieldTypeFacets } from './fieldType';
import { itemAt } from '../../engine/values/lookups';

const registeredTypes = new Map<string, FieldTypeFacets>();

/**
 * Adds what the application knows about the field types of a product, before anything is rendered; the engine adds its
 * half with the function of the same name. Large components are passed as lazy ones, so that they are loaded when they
 * are first shown. Returns a function that removes the types.
 *
 * @example
 * registerFieldTypes({
 *   rating: {
 *     display: { Cell: Stars },
 *     input: { Input: lazyComponent(() => import('./StarsInput')) },
 *     studio: { label: 'Rating', icon: 'star' },
 *   },
 * });
 */
export function registerFieldTypes(fieldTypes: Readonly<Record<string, FieldTypeFacets>>): () => void {
  for (const [name, facets] of Object.entries(fieldTypes)) registeredTypes.set(name, facets);
  return () => {
    for (const name of Object.keys(fieldTypes)) registeredTypes.delete(name);
  };
}

/** The modules of one part of all types, as `import.meta.glob` returns them: by `./<type>/<part>.tsx`. */
type Modules<Facets> = Readonly<Record<string, Facets>>;

/** Returns a function that finds one part of a field's type, with defaults for what the type does not define. */
export function createFacetLookup<Part extends keyof FieldTypeFacets, Defaults>(
  part: Part,
  modules: Modules<NonNullable<FieldTypeFacets[Part]>>,
  defaults: Defaults,
): (field: Pick<Field, 'type'>) => NonNullable<FieldTypeFacets[Part]> & Defaults {
  type Facets = NonNullable<FieldTypeFacets[Part]> & Defaults;
  const facetsByType = new Map<string, Facets>(
    Object.entries(modules).map(([path, facets]) => [itemAt(path.split('/'), 1), { ...defaults, ...facets }]),
  );
  return ({ type }) => facetsByType.get(type) ?? ({ ...defaults, ...registeredTypes.get(type)?.[part] } as Facets);
}
