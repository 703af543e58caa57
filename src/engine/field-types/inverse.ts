import type { FieldType } from './field-type';
import { relation } from './relation';

/** The records of another resource that point here; never written from this side. */
export const inverse: FieldType = { ...relation, column: null, parse: () => undefined, sortable: false, width: 'full' };
