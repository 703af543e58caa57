import type { SharedFacets } from './fieldType';
import { createFacetLookup } from './registry';

/** How the page behind a public link shows a field's values. It is loaded without the application around it. */
export const sharedOf = createFacetLookup(
  'shared',
  import.meta.glob<SharedFacets>('./*/shared.tsx', { eager: true, import: 'default' }),
  { Value: ({ text }: { text: string }) => text, isSection: () => false },
);
