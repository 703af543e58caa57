import type { StudioFacets } from '../fieldType';

export default {
  label: 'Icon',
  icon: 'image',
} satisfies StudioFacets;
