import type { DisplayFacets } from '../fieldType';

export default { minWidth: () => 124 } satisfies DisplayFacets;
