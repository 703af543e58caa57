import type { DisplayFacets } from '../fieldType';

export default { relatedWidth: 160 } satisfies DisplayFacets;
