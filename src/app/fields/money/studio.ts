import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Money',
  icon: 'hash',
  onNewCards: true,
  sample: ({ min = 0, max = Infinity }) => Math.min(Math.max(1250, min), max),
} satisfies StudioFacets<FieldOf<'money'>>;
