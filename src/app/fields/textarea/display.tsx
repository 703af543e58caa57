import type { FieldOf } from '../../../engine/definitions/definition';
import type { DisplayFacets } from '../fieldType';
import { linesOf } from './lines';

export default {
  isMultiline: true,
  hasWordChanges: true,
  inputHeight: (field) => linesOf(field) * 20 + 16,
} satisfies DisplayFacets<FieldOf<'textarea'>>;
