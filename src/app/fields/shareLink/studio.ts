import type { StudioFacets } from '../fieldType';

export default {
  label: 'Share link',
  icon: 'send',
} satisfies StudioFacets;
