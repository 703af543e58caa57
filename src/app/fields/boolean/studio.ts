import type { StudioFacets } from '../fieldType';

export default {
  label: 'Yes or no',
  icon: 'toggle',
  inNewModules: true,
  sample: () => true,
} satisfies StudioFacets;
