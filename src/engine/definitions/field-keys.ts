import { isComputable } from '../expressions/types';
import { fieldTypes, typeNamesWhere } from '../field-types';
import type { FieldTypeName } from './definition';
import type { FieldSource } from './source';

type Key = keyof FieldSource;

/** Keys of every field, whatever its type. */
const commonKeys: readonly Key[] = [
  'type',
  'label',
  'help',
  'placeholder',
  'emptyText',
  'required',
  'readOnly',
  'visible',
  'default',
  'width',
  'searchable',
  'sortable',
  'filterable',
  'secret',
  'virtual',
  'formerName',
];

/** The keys that mean something for a field of a type; any other is a mistake. */
export function keysOf(type: FieldTypeName): readonly Key[] {
  const { keys, sortable } = fieldTypes[type];
  return [
    ...commonKeys,
    ...keys,
    ...(sortable ? (['unique'] as const) : []),
    ...(isComputable(fieldTypes[type]) ? (['computed'] as const) : []),
  ];
}

/** The field types that support a key. */
export function typesWith(key: Key): readonly FieldTypeName[] {
  return typeNamesWhere((_type, name) => keysOf(name).includes(key));
}
