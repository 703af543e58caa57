import type { StudioFacets } from '../fieldType';

export default {
  label: 'Time',
  icon: 'clock',
  inNewModules: true,
} satisfies StudioFacets;
