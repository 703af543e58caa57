import type { StudioFacets } from '../fieldType';

export default {
  label: 'Permissions',
  icon: 'shield',
} satisfies StudioFacets;
