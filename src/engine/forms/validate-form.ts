import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { validateValues, type FieldErrors } from '../validation/validate-values';
import type { FieldState } from './field-states';
import { fieldOfPlace } from '../field-types/rows';
import { parseFormValues } from './form-values';

/**
 * Validates the visible, writable fields of a form, with the same messages as the server.
 *
 * @example validateForm(definition, fields, states, { name: '' }, evaluationContext); // { name: 'Title is required.' }
 */
export function validateForm(
  definition: Definition,
  fields: readonly Field[],
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): FieldErrors {
  const site = values.site_id ?? evaluationContext.record?.site_id ?? evaluationContext.actor?.site_id;
  const record = { ...evaluationContext.record, ...parseFormValues(fields, values), site_id: site };
  const errors = validateValues(definition, record, {
    strictness: 'form',
    evaluationContext: { ...evaluationContext, form: record },
  });
  return Object.fromEntries(
    Object.entries(errors).filter(([path]) => {
      const state = states[fieldOfPlace(path)];
      return state?.visible === true && !state.readOnly;
    }),
  );
}
