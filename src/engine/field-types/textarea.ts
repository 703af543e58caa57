import type { FieldType } from './field-type';
import { text } from './text';

/** Text of several lines. */
export const textarea: FieldType = { ...text, sortable: false, width: 'full', maxLength: 10_000 };
