import type { JsonSchema } from './call-description';

/** Building blocks of the schemas of calls. */
export const stringSchema: JsonSchema = { type: 'string' };
export const booleanSchema: JsonSchema = { type: 'boolean' };
export const integerSchema: JsonSchema = { type: 'integer' };
export const idSchema: JsonSchema = { type: 'integer', minimum: 1 };
export const dateTimeSchema: JsonSchema = { type: 'string', format: 'date-time' };
export const fileSchema: JsonSchema = { type: 'string', format: 'binary' };

/** A nullable value. */
export function nullableSchema(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema.type, 'null'] };
}

/** An object with these properties. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required?: readonly string[],
): JsonSchema {
  return { type: 'object', properties, ...(required && { required }) };
}

/** An array of these items. */
export function arraySchema(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A response wrapped in `data`. */
export function dataSchema(schema: JsonSchema): JsonSchema {
  return objectSchema({ data: schema });
}

/** The response of an action that succeeds or says why not. */
export const outcomeSchema = objectSchema({ status: booleanSchema, message: stringSchema });
