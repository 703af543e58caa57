import { formatParts, numberPlace } from '../../../engine/field-types/sequence';
import type { FieldOf } from '../../../engine/definitions/definition';
import type { StudioFacets } from '../fieldType';

export default {
  label: 'Key',
  icon: 'hash',
  sample: ({ format }) =>
    formatParts(format)
      .map((part) => ('text' in part ? part.text : part.path === numberPlace ? '142' : 'ABC'))
      .join(''),
} satisfies StudioFacets<FieldOf<'sequence'>>;
