import type { StudioFacets } from '../fieldType';

export default { label: 'Rows of its own', shortLabel: 'rows', icon: 'table' } satisfies StudioFacets;
