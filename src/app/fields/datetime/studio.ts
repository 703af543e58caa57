import type { StudioFacets } from '../fieldType';

export default {
  label: 'Date and time',
  shortLabel: 'date, time',
  icon: 'calendar',
  inNewModules: true,
  onNewCards: true,
  sample: (_field, tomorrow) => tomorrow,
} satisfies StudioFacets;
