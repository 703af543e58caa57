import { Ajv, type ValidateFunction } from 'ajv';
import type { Field } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import type { Judge } from '../../engine/validation/check-values';
import { formats } from '../../engine/validation/formats';
import type { Violation } from '../../engine/validation/interpret';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, unicodeRegExp: true, formats: { ...formats } });
const compiled = new WeakMap<Field, ValidateFunction>();

/** Judges a value by the schema that its field derives, compiled once a field; the first broken rule counts. */
export const judge: Judge = (field, value) => {
  let validate = compiled.get(field);
  if (!validate) {
    const schema = typeOf(field).schema(field);
    compiled.set(field, (validate = ajv.compile(schema)));
    // Definitions come and go: ajv would keep every schema that it ever met.
    ajv.removeSchema(schema);
  }
  if (validate(value)) return storable(value);
  return violationOf(validate);
};

function violationOf(validate: ValidateFunction): Violation {
  const { keyword, params, instancePath } = validate.errors![0]!;
  if (instancePath !== '') return { keyword: 'items' };
  const { limit, format, type } = params as Record<string, unknown>;
  return { keyword, limit: limit ?? format ?? type };
}

/** Half a pair of surrogates is no letter in PostgreSQL. */
function storable(value: unknown): Violation | undefined {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
  return /\p{Surrogate}/u.test(text) || /\\ud[89a-f]/.test(text) ? { keyword: 'pattern' } : undefined;
}
