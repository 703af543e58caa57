import type { StudioFacets } from '../fieldType';

export default {
  label: 'Relations',
  icon: 'relation',
  inNewModules: true,
} satisfies StudioFacets;
