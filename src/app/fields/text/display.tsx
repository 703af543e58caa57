import type { DisplayFacets } from '../fieldType';

export default { hasWordChanges: true } satisfies DisplayFacets;
