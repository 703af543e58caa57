import { fieldTypes } from '../field-types';
import type { FieldTypeName } from './definition';
import type { FieldSource } from './source';

type Key = keyof FieldSource;

/** Keys of every field, whatever its type. */
const commonKeys: readonly Key[] = [
  'type',
  'label',
  'help',
  'placeholder',
  'empty',
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
  'was',
];

const textKeys: readonly Key[] = ['minLength', 'maxLength', 'pattern', 'patternMessage'];
const orderKeys: readonly Key[] = ['notBefore', 'after'];
const relationKeys: readonly Key[] = ['to', 'embed', 'embedFields', 'choices'];

const keysByType: Readonly<Record<FieldTypeName, readonly Key[]>> = {
  text: [...textKeys, 'computed'],
  textarea: [...textKeys, 'lines'],
  richText: [...textKeys, 'lines'],
  number: ['min', 'max', 'integer', 'digits', 'separators', ...orderKeys],
  boolean: ['computed'],
  date: [...orderKeys, 'notAfter'],
  time: [...orderKeys, 'on'],
  datetime: orderKeys,
  email: textKeys,
  url: textKeys,
  phone: textKeys,
  password: textKeys,
  select: ['options'],
  icon: [],
  relation: [...relationKeys, 'onDelete', 'within', 'maxDepth'],
  relations: [...relationKeys, 'inLists'],
  inverse: ['of', 'inLists', 'countAs', 'sum', 'show'],
  json: [],
  permissions: [],
  image: [],
  duration: ['from', 'to'],
  shareLink: ['path', 'shares'],
};

/** The keys that mean something for a field of a type; any other is a mistake. */
export function keysOf(type: FieldTypeName): readonly Key[] {
  return [...commonKeys, ...keysByType[type], ...(fieldTypes[type].sortable ? (['unique'] as const) : [])];
}

/** The field types that support a key. */
export function typesWith(key: Key): readonly FieldTypeName[] {
  return (Object.keys(keysByType) as FieldTypeName[]).filter((type) => keysOf(type).includes(key));
}
