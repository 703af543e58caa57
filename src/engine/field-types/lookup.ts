import type { FieldTypeName } from '../definitions/definition';
import type { FieldType } from './field-type';
import { textValues } from './text';

/**
 * A value of a related record, through one relation or several. In a registry the field has the type of that value
 * (`registry/derived-types.ts`), so this type is only how it is written.
 */
export const lookup: FieldType = {
  ...textValues,
  normalise: ({ source, digits }) => ({
    computed: { $lookup: source ?? '' },
    digits,
    required: false,
    requiredInForm: false,
  }),
  searchable: false,
  maxLength: undefined,
  isDerived: true,
};

const plainTypes: Partial<Readonly<Record<FieldType['holds'], FieldTypeName>>> = {
  text: 'text',
  number: 'number',
  minutes: 'number',
  day: 'date',
  instant: 'datetime',
  boolean: 'boolean',
};

/** The type of values that are only shown, for a type whose fields do more; undefined if there is none. */
export function plainTypeOf({ holds: valueKind }: Pick<FieldType, 'holds'>): FieldTypeName | undefined {
  return plainTypes[valueKind];
}
