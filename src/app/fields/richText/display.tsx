import type { FieldOf } from '../../../engine/definitions/definition';
import type { DisplayFacets } from '../fieldType';
import { height } from './height';

export default {
  isMultiline: true,
  hasWordChanges: true,
  inputHeight: (field) => height(field),
} satisfies DisplayFacets<FieldOf<'richText'>>;
