import type { FieldType } from './field-type';
import { text } from './text';

/** A random token that opens a record to whoever holds it; the server makes it, and only who may edit reads it. */
export const shareLink: FieldType = {
  ...text,
  schema: () => ({ type: 'string', maxLength: 100 }),
  searchable: false,
  sortable: false,
  filterable: false,
  derived: true,
  private: true,
  width: 'full',
};
