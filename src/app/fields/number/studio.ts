import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Number',
  icon: 'hash',
  inNewModules: true,
  onNewCards: true,
  sample: ({ integer, min = 0, max = Infinity }) => Math.min(Math.max(integer ? 3 : 2.5, min), max),
} satisfies StudioFacets<FieldOf<'number'>>;
