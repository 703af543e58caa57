import type { StudioFacets } from '../fieldType';

export default {
  label: 'JSON',
  icon: 'json',
} satisfies StudioFacets;
