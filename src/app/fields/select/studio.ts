import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Select',
  icon: 'select',
  inNewModules: true,
  onNewCards: true,
  sample: ({ options, multiple }) => (multiple ? options.slice(0, 2).map(({ value }) => value) : options[0]?.value),
} satisfies StudioFacets<FieldOf<'select'>>;
