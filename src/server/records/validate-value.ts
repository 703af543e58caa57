import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import type { Field } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import type { Validator } from '../../engine/validation/validate-values';
import { compilePattern } from '../../engine/patterns/compile-pattern';
import { isSafePattern } from '../../engine/patterns/matcher';
import { formats } from '../../engine/validation/formats';
import type { Violation } from '../../engine/validation/find-violation';

/** Patterns come from definitions: their run time must be linear in the length of the text. */
const regExp: NonNullable<Options['code']>['regExp'] = Object.assign(
  (pattern: string) =>
    isSafePattern(pattern)
      ? new RegExp(pattern, 'u')
      : // ajv caches expressions by their text, so each pattern needs a distinct one.
        { test: compilePattern(pattern), toString: () => `re2 ${pattern}` },
  { code: 'patternEngine' },
);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { ...formats }, code: { regExp } });
const fieldValidators = new WeakMap<Field, ValidateFunction>();
/** By the text of their schema: most fields share a schema, and most definitions survive a change unchanged. */
const schemaValidators = new LRUCache<string, ValidateFunction>({ max: 2_000 });

/**
 * Validates a value against the schema of its field, compiled once per field. Returns the first violation, or
 * undefined.
 */
export const validateValue: Validator = (field, value) => {
  let validate = fieldValidators.get(field);
  if (!validate) fieldValidators.set(field, (validate = validatorOf(field)));
  if (validate(value)) return undefined;
  return toViolation(validate);
};

function validatorOf(field: Field): ValidateFunction {
  const schema = fieldTypeOf(field).schema(field);
  const text = JSON.stringify(schema);
  let validate = schemaValidators.get(text);
  if (validate) return validate;
  validate = ajv.compile(schema);
  // Definitions change while the server runs: ajv would keep every schema it ever compiled.
  ajv.removeSchema(schema);
  schemaValidators.set(text, validate);
  return validate;
}

function toViolation(validate: ValidateFunction): Violation {
  const { keyword, params, instancePath } = validate.errors![0]!;
  if (instancePath !== '') return { keyword: 'items' };
  const { limit, format, type } = params as Record<string, unknown>;
  return { keyword, limit: limit ?? format ?? type };
}
