import type { KeySchema } from './key';

/**
 * The JSON Schema of a part of the language: a copy without what only the program reads.
 *
 * @example toJsonSchema(fieldName({ help: 'A date.' })); // { type: 'string', pattern: '…', description: 'A date.' }
 */
export function toJsonSchema({ reference: _reference, $schema, title, description, ...schema }: KeySchema): KeySchema {
  return {
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
    ...(schema.allOf && { allOf: schema.allOf.map(toJsonSchema) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(toJsonSchema) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(toJsonSchema) }),
    ...(schema.not && { not: toJsonSchema(schema.not) }),
    ...(schema.if && { if: toJsonSchema(schema.if) }),
    ...(schema.then && { then: toJsonSchema(schema.then) }),
  };
}

function toJsonSchemas(schemas: Readonly<Record<string, KeySchema>>): Record<string, KeySchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]));
}
