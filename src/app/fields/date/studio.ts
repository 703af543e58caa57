import type { StudioFacets } from '../fieldType';

export default {
  label: 'Date',
  icon: 'calendar',
  inNewModules: true,
  onNewCards: true,
  sample: (_field, tomorrow) => tomorrow.slice(0, 10),
} satisfies StudioFacets;
