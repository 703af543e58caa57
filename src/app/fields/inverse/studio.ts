import type { StudioFacets } from '../fieldType';

export default {
  label: 'Records that point here',
  shortLabel: 'inverse',
  icon: 'layers',
} satisfies StudioFacets;
