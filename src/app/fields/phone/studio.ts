import type { StudioFacets } from '../fieldType';

export default {
  label: 'Phone',
  icon: 'phone',
  inNewModules: true,
  onNewCards: true,
} satisfies StudioFacets;
