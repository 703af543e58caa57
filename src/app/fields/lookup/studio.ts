import type { StudioFacets } from '../fieldType';

export default {
  label: 'Value of a related record',
  shortLabel: 'lookup',
  icon: 'layers',
} satisfies StudioFacets;
