import type { StudioFacets } from '../fieldType';

export default {
  label: 'Duration',
  icon: 'timer',
} satisfies StudioFacets;
