import type { StudioFacets } from './fieldType';
import { createFacetLookup } from './registry';

/** How the studio presents a field's type. */
export const studioOf = createFacetLookup(
  'studio',
  import.meta.glob<StudioFacets>('./*/studio.ts', { eager: true, import: 'default' }),
  { icon: 'text' },
);
