import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../definitions/field-keys';
import type { FieldSource, Source } from '../definitions/source';
import { fieldTypes } from '../field-types';
import { partKeysAt, type PartKey } from './part-keys';

/** A key that a field of some type knows, as a panel shows it. */
export interface FieldKeyOption extends Omit<PartKey, 'name'> {
  readonly key: keyof FieldSource;
}

/**
 * The keys that a field type supports, as the language describes them. `formerName` is set only by renaming.
 *
 * @example fieldKeyOptions('number').map(({ key }) => key); // ['type', 'label', …]
 */
export function fieldKeyOptions(type: FieldTypeName): FieldKeyOption[] {
  const known = keysOf(type);
  return partKeysAt({ fields: { field: { type } } } as unknown as Source, ['fields', 'field'])
    .map(({ name, ...key }) => ({ key: name as keyof FieldSource, ...key }))
    .filter(({ key }) => key !== 'formerName' && known.includes(key));
}

/**
 * The keys that a field needs before it works: `options` of a select.
 *
 * @example requiredKeys('relation'); // ['to']
 */
export function requiredKeys(type: FieldTypeName): readonly (keyof FieldSource)[] {
  return fieldTypes[type].neededKeys ?? [];
}
