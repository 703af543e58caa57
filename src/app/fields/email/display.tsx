import type { DisplayFacets } from '../fieldType';

export default { minWidth: () => 190 } satisfies DisplayFacets;
