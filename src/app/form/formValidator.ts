import { toErrorSchema, type RJSFValidationError, type ValidatorType } from '@rjsf/utils';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { FieldErrors } from '../../engine/validation/validate-values';

/**
 * An rjsf validator that uses the engine's validation: the same rules and messages as the server, and no generated
 * code, which the content security policy forbids.
 */
export interface FormValidator extends ValidatorType<ResourceRecord> {
  /** Sets the function that validates values. */
  checkWith(check: (values: ResourceRecord) => FieldErrors): void;
}

/** Creates a validator that accepts everything until `checkWith` is called. */
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
