import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Rich text',
  icon: 'paragraph',
  inNewModules: true,
  sample: ({ label }) => `<p>Sample ${label.toLowerCase()}</p>`,
} satisfies StudioFacets<FieldOf<'richText'>>;
