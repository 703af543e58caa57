import type { DisplayFacets } from '../fieldType';

export default { minWidth: () => 160, relatedWidth: 160 } satisfies DisplayFacets;
