import type { Schema } from './described';

/** The parts that descriptions of calls are made of. */
export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const whole: Schema = { type: 'integer' };
export const id: Schema = { type: 'integer', minimum: 1 };
export const instant: Schema = { type: 'string', format: 'date-time' };
export const file: Schema = { type: 'string', format: 'binary' };

/** A value that may be missing. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema.type, 'null'] };
}

/** An object of these properties. */
export function object(properties: Readonly<Record<string, Schema>>, required?: readonly string[]): Schema {
  return { type: 'object', properties, ...(required && { required }) };
}

/** A list of such. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** An answer that is wrapped in `data`. */
export function data(schema: Schema): Schema {
  return object({ data: schema });
}

/** The answer of what either comes about or says why not. */
export const outcome = object({ status: flag, message: text });
