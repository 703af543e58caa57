import { toErrorSchema, type RJSFValidationError, type ValidatorType } from '@rjsf/utils';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { FieldErrors } from '../../engine/validation/check-values';

/**
 * rjsf's validator over the engine's checks: the server's rules in the server's words, and no generated code, which the
 * content security policy forbids.
 */
export interface FormValidator extends ValidatorType<ResourceRecord> {
  /** From now on this answers what is wrong with values. */
  checkWith(check: (values: ResourceRecord) => FieldErrors): void;
}

/** A validator that finds nothing wrong until it is told what to check with. */
export function formValidator(): FormValidator {
  let check = (_values: ResourceRecord): FieldErrors => ({});
  const errorsOf = (values: ResourceRecord): RJSFValidationError[] =>
    Object.entries(check(values)).map(([name, message]) => ({
      name: 'rule',
      property: `.${name}`,
      message,
      stack: message,
    }));
  return {
    checkWith: (next) => {
      check = next;
    },
    validateFormData: (values = {}) => {
      const errors = errorsOf(values);
      return { errors, errorSchema: toErrorSchema<ResourceRecord>(errors) };
    },
    isValid: (_schema, values = {}) => errorsOf(values).length === 0,
    rawValidation: <Result>(_schema: unknown, values: ResourceRecord = {}) => ({
      errors: errorsOf(values) as Result[],
    }),
  };
}
