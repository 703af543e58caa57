import type { FieldTypeName } from '../definitions/definition';

/** Field types that are short enough to show beside a title in selects. */
export const detailTypes: ReadonlySet<FieldTypeName> = new Set<FieldTypeName>([
  'text',
  'number',
  'date',
  'email',
  'url',
  'phone',
  'select',
  'relation',
]);
