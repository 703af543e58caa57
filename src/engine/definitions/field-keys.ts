import { fieldTypes } from '../field-types';
import type { FieldTypeName } from './definition';
import type { FieldSource } from './source';

type Key = keyof FieldSource;

/** Keys of every field, whatever its type. */
const common: readonly Key[] = [
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

const text: readonly Key[] = ['minLength', 'maxLength', 'pattern', 'patternMessage'];
const ordered: readonly Key[] = ['notBefore', 'after'];
const related: readonly Key[] = ['to', 'embed', 'embedFields', 'choices'];

const own: Readonly<Record<FieldTypeName, readonly Key[]>> = {
  text: [...text, 'computed'],
  textarea: [...text, 'lines'],
  richText: [...text, 'lines'],
  number: ['min', 'max', 'integer', 'digits', 'separators', ...ordered],
  boolean: ['computed'],
  date: [...ordered, 'notAfter'],
  time: [...ordered, 'on'],
  datetime: ordered,
  email: text,
  url: text,
  phone: text,
  password: text,
  select: ['options'],
  icon: [],
  relation: [...related, 'onDelete', 'within', 'maxDepth'],
  relations: [...related, 'inLists'],
  inverse: ['of', 'inLists', 'countAs', 'sum', 'show'],
  json: [],
  permissions: [],
  image: [],
  duration: ['from', 'to'],
  shareLink: ['path', 'shares'],
};

/** The keys that mean something for a field of a type; any other is a mistake. */
export function keysOf(type: FieldTypeName): readonly Key[] {
  return [...common, ...own[type], ...(fieldTypes[type].sortable ? (['unique'] as const) : [])];
}

/** The field types that support a key. */
export function typesWith(key: Key): readonly FieldTypeName[] {
  return (Object.keys(own) as FieldTypeName[]).filter((type) => keysOf(type).includes(key));
}
