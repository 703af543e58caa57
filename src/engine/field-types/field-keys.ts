import { typeNamesWhere } from '.';
import { commonKeys } from '../language/field';
import { allTypeKeys } from '../language/field-types';
import type { OptionalCommonKey } from '../language/field-types/type-keys';
import type { FieldTypeName } from '../definitions/definition';
import type { FieldSource } from '../language/source';
import { propertyOf } from '../values/lookups';

type Key = keyof FieldSource;

const optionalKeys: readonly string[] = ['unique', 'computed'] satisfies OptionalCommonKey[];

/**
 * The keys that mean something for a field of a type; any other is a mistake.
 *
 * @example keysOf('boolean').includes('options'); // false
 */
export function keysOf(type: FieldTypeName): readonly Key[] {
  const { keys, common: ownCommonKeys = [] } = propertyOf(allTypeKeys(), type);
  const commonNames = Object.keys(commonKeys).filter(
    (key) => !optionalKeys.includes(key) || ownCommonKeys.some((ownKey) => ownKey === key),
  );
  return ['type', ...commonNames, ...Object.keys(keys)] as Key[];
}

/** The field types that support a key. */
export function typesWith(key: Key): readonly FieldTypeName[] {
  return typeNamesWhere((_type, name) => keysOf(name).includes(key));
}
