import type { StudioFacets } from '../fieldType';

export default {
  label: 'URL',
  icon: 'link',
  inNewModules: true,
  sample: () => 'https://example.com',
} satisfies StudioFacets;
