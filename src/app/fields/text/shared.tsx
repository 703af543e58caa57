import type { SharedFacets } from '../fieldType';

export default { isSection: ({ width }) => width === 'full' } satisfies SharedFacets;
