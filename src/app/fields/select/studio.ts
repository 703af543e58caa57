import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Select',
  icon: 'select',
  inNewModules: true,
  onNewCards: true,
  sample: ({ options }) => options[0]?.value,
} satisfies StudioFacets<FieldOf<'select'>>;
