import type { Surroundings } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { checkValues, type FieldErrors } from '../validation/check-values';
import type { FieldState } from './field-states';
import { parsedValues } from './form-values';

/** Validates the visible, writable fields of a form, with the same messages as the server. */
export function checkForm(
  definition: Definition,
  fields: readonly Field[],
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
  surroundings: Surroundings,
): FieldErrors {
  const site = values.site_id ?? surroundings.record?.site_id ?? surroundings.actor?.site_id;
  const whole = { ...surroundings.record, ...parsedValues(fields, values), site_id: site };
  const errors = checkValues(definition, whole, { strictness: 'form', surroundings: { ...surroundings, form: whole } });
  return Object.fromEntries(
    Object.entries(errors).filter(([name]) => states[name]?.visible === true && !states[name].readOnly),
  );
}
