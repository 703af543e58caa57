import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Text',
  icon: 'text',
  inNewModules: true,
  sample: ({ label, maxLength }) => `Sample ${label.toLowerCase()}`.slice(0, maxLength),
} satisfies StudioFacets<FieldOf<'text'>>;
