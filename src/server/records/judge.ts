import { Ajv, type ValidateFunction } from 'ajv';
import type { Field } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import type { Judge } from '../../engine/validation/check-values';
import { formats } from '../../engine/validation/formats';
import type { Violation } from '../../engine/validation/interpret';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, unicodeRegExp: true, formats: { ...formats } });
const compiled = new WeakMap<Field, ValidateFunction>();
const DEEPEST = 40;

/** Judges a value by the schema that its field derives, compiled once a field; the first broken rule counts. */
export const judge: Judge = (field, value) => {
  let validate = compiled.get(field);
  if (!validate) compiled.set(field, (validate = ajv.compile(typeOf(field).schema(field))));
  if (validate(value)) return storable(value);
  return violationOf(validate);
};

function violationOf(validate: ValidateFunction): Violation {
  const { keyword, params, instancePath } = validate.errors![0]!;
  if (instancePath !== '') return { keyword: 'items' };
  const { limit, format, type } = params as Record<string, unknown>;
  return { keyword, limit: limit ?? format ?? type };
}

/** Half a pair of surrogates is no letter in PostgreSQL, and JSON nested too deeply cannot be written. */
function storable(value: unknown): Violation | undefined {
  if (typeof value === 'object' && depthOf(value) > DEEPEST) return { keyword: 'type', limit: 'object' };
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
  return /\p{Surrogate}/u.test(text) || /\\ud[89a-f]/.test(text) ? { keyword: 'pattern' } : undefined;
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= DEEPEST) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    depth++;
  }
  return depth;
}
