import type { KeySchema } from './key';

/**
 * The JSON Schema of a part of the language: a copy without what only the program reads.
 *
 * @example toJsonSchema(fieldName({ help: 'A date.' })); // { type: 'string', pattern: '…', description: 'A date.' }
 */
export function toJsonSchema({ $schema, title, description, ...describedSchema }: KeySchema): KeySchema {
  const {
    reference: _reference,
    onRemoval: _onRemoval,
    isWhole: _isWhole,
    identity: _identity,
    panel: _panel,
    ...schema
  } = describedSchema;
  const copy: KeySchema = {
    // For the reader: what it is for comes first.
    ...($schema !== undefined && { $schema }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...schema,
    ...(schema.items && { items: toJsonSchema(schema.items) }),
    ...(schema.propertyNames && { propertyNames: toJsonSchema(schema.propertyNames) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: toJsonSchema(schema.additionalProperties),
    }),
    ...(schema.properties && { properties: toJsonSchemas(schema.properties) }),
    ...(schema.patternProperties && { patternProperties: toJsonSchemas(schema.patternProperties) }),
    ...(schema.definitions && { definitions: toJsonSchemas(schema.definitions) }),
    ...(schema.allOf && { allOf: schema.allOf.filter(hasRule).map(toJsonSchema) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(toJsonSchema) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(toJsonSchema) }),
    ...(schema.not && { not: toJsonSchema(schema.not) }),
    ...(schema.if && { if: toJsonSchema(schema.if) }),
    ...(schema.then && { then: toConsequence(schema.then) }),
  };
  // Of these the language says nothing but which names they take.
  if (isEmpty(copy.propertyNames)) delete copy.propertyNames;
  if (isEmpty(copy.additionalProperties)) delete copy.additionalProperties;
  return copy;
}

function toJsonSchemas(schemas: Readonly<Record<string, KeySchema>>): Record<string, KeySchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]));
}

/** The consequence of a condition, without keys of which it says nothing but which names they take. */
function toConsequence(schema: KeySchema): KeySchema {
  const { properties = {}, ...rest } = toJsonSchema(schema);
  const describedKeys = Object.entries(properties).filter(([, key]) => !isEmpty(key));
  return { ...(describedKeys.length > 0 && { properties: Object.fromEntries(describedKeys) }), ...rest };
}

const hasRule = (schema: KeySchema) => !schema.then || !isEmpty(toConsequence(schema.then));

const isEmpty = (schema: KeySchema | boolean | undefined) =>
  typeof schema === 'object' && Object.keys(schema).length === 0;
