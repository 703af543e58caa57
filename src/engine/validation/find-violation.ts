import type { ValueSchema } from '../field-types';
import { matcherOf } from '../patterns/matcher';
import { formats } from './formats';
import { isLongerThan } from '../values/is-longer-than';
import { propertyOf } from '../values/lookups';

/** A rule of a value schema that a value breaks. */
export interface Violation {
  readonly keyword: string;
  readonly limit?: unknown;
}

const typeChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * The first rule that a value violates, or undefined: an interpreter for the part of JSON Schema that field types use.
 * The browser uses it because its security policy forbids generated code; a test compares it with ajv. A pattern whose
 * engine is not loaded yet is left to the server.
 *
 * @example findViolation({ type: 'integer', minimum: 1 }, 0)?.keyword; // 'minimum'
 */
export function findViolation(schema: ValueSchema, value: unknown): Violation | undefined {
  if (schema.type && !propertyOf(typeChecks, schema.type)(value)) return { keyword: 'type', limit: schema.type };
  if (schema.enum && !schema.enum.includes(value as string)) return { keyword: 'enum' };
  if (typeof value === 'string') return interpretText(schema, value);
  if (typeof value === 'number') return interpretNumber(schema, value);
  if (Array.isArray(value)) return interpretList(schema, value);
  return undefined;
}

function interpretText(schema: ValueSchema, value: string): Violation | undefined {
  if (schema.minLength !== undefined && !isLongerThan(value, schema.minLength - 1))
    return { keyword: 'minLength', limit: schema.minLength };
  if (schema.maxLength !== undefined && isLongerThan(value, schema.maxLength))
    return { keyword: 'maxLength', limit: schema.maxLength };
  if (schema.pattern !== undefined && matcherOf(schema.pattern)?.(value) === false) return { keyword: 'pattern' };
  if (schema.format && !propertyOf(formats, schema.format)(value)) return { keyword: 'format', limit: schema.format };
  return undefined;
}

function interpretNumber(schema: ValueSchema, value: number): Violation | undefined {
  if (schema.minimum !== undefined && value < schema.minimum) return { keyword: 'minimum', limit: schema.minimum };
  if (schema.maximum !== undefined && value > schema.maximum) return { keyword: 'maximum', limit: schema.maximum };
  return undefined;
}

function interpretList(schema: ValueSchema, value: readonly unknown[]): Violation | undefined {
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    return { keyword: 'maxItems', limit: schema.maxItems };
  const { items } = schema;
  if (items && value.some((item) => findViolation(items, item))) return { keyword: 'items' };
  if (schema.uniqueItems && new Set(value).size !== value.length) return { keyword: 'uniqueItems' };
  return undefined;
}
