import type { StudioFacets } from '../fieldType';

export default {
  label: 'Image',
  icon: 'image',
  inNewModules: true,
} satisfies StudioFacets;
