import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Long text',
  icon: 'paragraph',
  inNewModules: true,
  sample: ({ label, maxLength }) => `Sample ${label.toLowerCase()}`.slice(0, maxLength),
} satisfies StudioFacets<FieldOf<'textarea'>>;
