import type { StudioFacets } from '../fieldType';

export default {
  label: 'Password',
  icon: 'key',
} satisfies StudioFacets;
