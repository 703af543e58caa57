import type { SharedFacets } from '../fieldType';

export default { isSection: () => true } satisfies SharedFacets;
