import type { Condition } from '../definitions/field';
import { choice, schemaRef, list, text, type Key, type Reference, type ReferenceKind, type Words } from './key';

interface NameOptions extends Words {
  readonly maxLength?: number;
}

type FieldNameOptions = NameOptions & Omit<Reference, 'kind'>;

const identifierPattern = '^[a-z][A-Za-z0-9_]{0,62}$';
const resourcePattern = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';

/** A new name, such as that of an automation: lower case first, then letters, digits and `_`. */
export function identifier(options: NameOptions = {}): Key<string> {
  return text({ pattern: identifierPattern, ...options });
}

/** The name of a field. */
export function fieldName(options: FieldNameOptions = {}): Key<string> {
  const { in: resourceKey, type, orParameter, unless, listedIn, words, ...rest } = options;
  return refer(identifier(rest), 'field', {
    ...(resourceKey && { in: resourceKey }),
    ...(type && { type }),
    ...(orParameter && { orParameter }),
    ...(unless && { unless }),
    ...(listedIn && { listedIn }),
    ...(words && { words }),
  });
}

/** The name of a field that is described here. */
export function newFieldName(): Key<string> {
  return refer(identifier(), 'newField');
}

/** A path through relations of the record: `order_id.customer_id`. */
export function relationPath(pattern: string, options: NameOptions & Omit<Reference, 'kind'> = {}): Key<string> {
  const { in: resourceKey, words, ...rest } = options;
  return refer(text({ pattern, ...rest }), 'path', {
    through: 'relations',
    ...(resourceKey && { in: resourceKey }),
    ...(words && { words }),
  });
}

const step = '[a-z][A-Za-z0-9_]{0,62}';

/** The pattern of a field, or of a path through relations, such as `client.country.name`. */
export const pathPattern = `${step}(\\.${step}){0,5}`;

/** A field, or one of a record that relations lead to: `client.name`. */
export function fieldPath(options: NameOptions & Pick<Reference, 'in' | 'orParameter' | 'unless'> = {}): Key<string> {
  const { in: resourceKey, orParameter, unless, ...rest } = options;
  return refer(text({ pattern: `^${pathPattern}$`, ...rest }), 'path', {
    ...(resourceKey && { in: resourceKey }),
    ...(orParameter && { orParameter }),
    ...(unless && { unless }),
  });
}

/** A field or path by which records are sorted; `-` before it for the opposite order. */
export function sortField(options: NameOptions = {}): Key<string> {
  return refer(text({ pattern: `^-?${pathPattern}$`, ...options }), 'sort', { through: 'embeds' });
}

/** A field of another resource that refers to records: `orders.customer_id`. */
export function relationName(pattern: string, options: NameOptions = {}): Key<string> {
  return refer(text({ pattern, ...options }), 'relation');
}

/** The name of a resource. */
export function resourceName(options: NameOptions = {}): Key<string> {
  return refer(newResourceName(options), 'resource');
}

/** A name that becomes that of a resource, or is no longer one. */
export function newResourceName(options: NameOptions = {}): Key<string> {
  return text({ pattern: resourcePattern, maxLength: 63, ...options });
}

/** The name of a request of the definition. */
export function requestName(options: NameOptions = {}): Key<string> {
  return refer(identifier(options), 'request');
}

/** The name of an icon. */
export function iconName(options: NameOptions = {}): Key<string> {
  return refer(keyword(options), 'icon');
}

/** The key of a role. */
export function roleName(options: NameOptions = {}): Key<string> {
  return refer(text({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 60, ...options }), 'role');
}

/** Roles that something is for. */
export function roles(words: Words): Key<string[]> {
  return list(roleName(), { minItems: 1, unique: true, label: 'For roles', fallback: 'Everybody', ...words });
}

/** Levels of roles that something is for. */
export function levels(words: Words): Key<(1 | 2 | 3 | 4 | 5 | 6)[]> {
  const panel = { label: 'For all roles of a level', options: 'levels', fallback: 'Everybody' } as const;
  return list(choice([1, 2, 3, 4, 5, 6]), { minItems: 1, unique: true, ...panel, ...words });
}

/** The name of a hook in the code of a product. */
export function hookName(options: NameOptions = {}): Key<string> {
  return text({ pattern: '^[a-z][A-Za-z0-9]*$', ...options });
}

/** A new name as it stands in an address: lower-case letters, digits and `-`. */
export function keyword(options: NameOptions = {}): Key<string> {
  return text({ pattern: '^[a-z][a-z0-9-]*$', ...options });
}

/** A condition on records: of the definition itself, or of the resource that the key `in` beside it names. */
export function condition({
  in: resourceKey,
  formOf,
  ...words
}: Words & Pick<Reference, 'in' | 'formOf'> = {}): Key<Condition> {
  return schemaRef('condition.schema.json', words, {
    kind: 'condition',
    ...(resourceKey && { in: resourceKey }),
    ...(formOf && { formOf }),
  });
}

/** The same key as the name of something that exists. */
export function refer<Value>(key: Key<Value>, kind: ReferenceKind, details: Omit<Reference, 'kind'> = {}): Key<Value> {
  return Object.assign(key, { reference: { kind, ...details } });
}
