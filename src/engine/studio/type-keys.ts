import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../field-types/field-keys';
import type { FieldSource, Source } from '../language/source';
import { allTypeKeys } from '../language/field-types';
import { partKeysAt, type PartKey } from './part-keys';
import { getOrThrow, propertyOf } from '../values/lookups';

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
  const keyDescriptions = partKeysAt({ fields: { field: { type } } } as unknown as Source, ['fields', 'field']);
  const byName = new Map(keyDescriptions.map(({ name, ...key }) => [name, key]));
  return keysOf(type)
    .filter((key) => key !== 'formerName')
    .map((key) => ({ key, ...getOrThrow(byName, key) }));
}

/**
 * The keys that a field needs before it works: `options` of a select.
 *
 * @example requiredKeys('relation'); // ['to']
 */
export function requiredKeys(type: FieldTypeName): readonly (keyof FieldSource)[] {
  return (propertyOf(allTypeKeys(), type).required ?? []) as (keyof FieldSource)[];
}
