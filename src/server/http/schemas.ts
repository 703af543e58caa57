import type { Schema } from './described';

/** Building blocks of the schemas of calls. */
export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const whole: Schema = { type: 'integer' };
export const id: Schema = { type: 'integer', minimum: 1 };
export const instant: Schema = { type: 'string', format: 'date-time' };
export const file: Schema = { type: 'string', format: 'binary' };

/** A nullable value. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema.type, 'null'] };
}

/** An object with these properties. */
export function object(properties: Readonly<Record<string, Schema>>, required?: readonly string[]): Schema {
  return { type: 'object', properties, ...(required && { required }) };
}

/** An array of these items. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** A response wrapped in `data`. */
export function data(schema: Schema): Schema {
  return object({ data: schema });
}

/** The response of an action that succeeds or says why not. */
export const outcome = object({ status: flag, message: text });
