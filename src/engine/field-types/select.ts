import type { FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { text } from './text';

/** One of the values that the definition lists. */
export const select: FieldType<FieldOf<'select'>> = {
  ...text,
  keys: ['options'],
  neededKeys: ['options'],
  schema: (field) => ({ enum: field.options.map((option) => option.value) }),
  parse: (value) => (value === '' ? null : value),
  fromText: (value, field) => field.options.find((option) => String(option.value) === value.trim())?.value,
  toText: (value, field) => field.options.find((option) => option.value === value)?.label ?? '',
  searchable: false,
  maxLength: undefined,
};
