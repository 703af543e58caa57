import type { StudioFacets } from '../fieldType';

export default {
  label: 'Relation',
  icon: 'relation',
  inNewModules: true,
  onNewCards: true,
} satisfies StudioFacets;
