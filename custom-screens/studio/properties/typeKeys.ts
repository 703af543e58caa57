import type { FieldTypeName } from '../../../src/engine/definitions/definition';

const text = ['minLength', 'maxLength', 'pattern', 'patternMessage', 'unique', 'default'] as const;
const many: Partial<Record<FieldTypeName, readonly string[]>> = {
  text,
  textarea: ['minLength', 'maxLength', 'lines', 'default'],
  richText: ['maxLength', 'lines'],
  number: ['min', 'max', 'integer', 'digits', 'notBefore', 'after', 'unique', 'default'],
  boolean: ['default'],
  date: ['notBefore', 'after', 'notAfter', 'default'],
  time: ['on', 'notBefore', 'after', 'default'],
  datetime: ['notBefore', 'after', 'default'],
  email: ['maxLength', 'unique', 'default'],
  url: ['maxLength', 'unique', 'default'],
  phone: ['maxLength', 'unique', 'default'],
  password: ['minLength', 'maxLength', 'pattern', 'patternMessage'],
  select: ['options', 'default'],
  icon: ['default'],
  relation: ['to', 'embed', 'embedFields', 'onDelete', 'within', 'maxDepth', 'default'],
  relations: ['to', 'embed', 'embedFields', 'inLists'],
  inverse: ['of', 'show', 'inLists', 'countAs'],
  duration: ['from', 'to'],
  shareLink: ['path'],
};

/** The keys of a field of a type, besides those of all. */
export function typeKeys(type: FieldTypeName): readonly string[] {
  return many[type] ?? [];
}
