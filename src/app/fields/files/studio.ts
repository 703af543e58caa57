import type { StudioFacets } from '../fieldType';

export default {
  label: 'Files',
  icon: 'paperclip',
  inNewModules: true,
  sample: () => [{ name: 'example.pdf', size: 120_000, type: 'application/pdf', url: '#' }],
} satisfies StudioFacets;
