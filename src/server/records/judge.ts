import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import type { Field } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import type { Judge } from '../../engine/validation/check-values';
import { compilePattern } from '../../engine/patterns/compile';
import { runsNatively } from '../../engine/patterns/matcher';
import { formats } from '../../engine/validation/formats';
import type { Violation } from '../../engine/validation/interpret';

/** Patterns come from definitions: their run time must be linear in the length of the text. */
const regExp: NonNullable<Options['code']>['regExp'] = Object.assign(
  (pattern: string) =>
    runsNatively(pattern)
      ? new RegExp(pattern, 'u')
      : // ajv caches expressions by their text, so each pattern needs a distinct one.
        { test: compilePattern(pattern), toString: () => `re2 ${pattern}` },
  { code: 'patternEngine' },
);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { ...formats }, code: { regExp } });
const compiled = new WeakMap<Field, ValidateFunction>();
/** By the text of their schema: most fields share a schema, and most definitions survive a change unchanged. */
const bySchema = new LRUCache<string, ValidateFunction>({ max: 2_000 });

/**
 * Validates a value against the schema of its field, compiled once per field. Returns the first violation, or
 * undefined.
 */
export const judge: Judge = (field, value) => {
  let validate = compiled.get(field);
  if (!validate) compiled.set(field, (validate = validatorOf(field)));
  if (validate(value)) return undefined;
  return violationOf(validate);
};

function validatorOf(field: Field): ValidateFunction {
  const schema = typeOf(field).schema(field);
  const text = JSON.stringify(schema);
  let validate = bySchema.get(text);
  if (validate) return validate;
  validate = ajv.compile(schema);
  // Definitions change while the server runs: ajv would keep every schema it ever compiled.
  ajv.removeSchema(schema);
  bySchema.set(text, validate);
  return validate;
}

function violationOf(validate: ValidateFunction): Violation {
  const { keyword, params, instancePath } = validate.errors![0]!;
  if (instancePath !== '') return { keyword: 'items' };
  const { limit, format, type } = params as Record<string, unknown>;
  return { keyword, limit: limit ?? format ?? type };
}
