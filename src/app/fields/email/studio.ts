import type { StudioFacets } from '../fieldType';

export default {
  label: 'Email',
  icon: 'mail',
  inNewModules: true,
  onNewCards: true,
  sample: () => 'sample@example.com',
} satisfies StudioFacets;
