import type { FieldTypeName } from '../definitions/definition';

/** The types of fields that can stand in a few words beside a title where a record is chosen. */
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
