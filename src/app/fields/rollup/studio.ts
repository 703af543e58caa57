import type { StudioFacets } from '../fieldType';

export default {
  label: 'Number or sum of rows, or of records that point here',
  shortLabel: 'rollup',
  icon: 'layers',
} satisfies StudioFacets;
