import { evaluateOnValues } from '../conditions/match-values';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { isFieldVisible, requiredFields } from '../validation/record-schema';
import type { FormAccess } from './form-access';
import { createsRecord, type FormMode } from './form-fields';

/** The current state of a field. */
export interface FieldState {
  readonly visible: boolean;
  readonly required: boolean;
  readonly readOnly: boolean;
}

/**
 * The states of a form's fields for the values as they are now.
 *
 * @example fieldStates(definition, fields, 'edit', access, values, evaluationContext).reason?.visible; // false
 */
export function fieldStates(
  definition: Definition,
  fields: readonly Field[],
  mode: FormMode,
  access: FormAccess,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Record<string, FieldState> {
  const formContext = { ...evaluationContext, form: values };
  const requiredNames = new Set(requiredFields(definition, 'form', values, formContext).map(({ name }) => name));
  const isReadOnly = (field: Field) =>
    access.readOnly ||
    field.readOnly ||
    !access.fields.has(field.name) ||
    (field.name === 'site_id' && !createsRecord(mode)) ||
    (field.readOnlyWhen !== undefined &&
      evaluateOnValues(definition.fields, field.readOnlyWhen, values, formContext) === true);
  return Object.fromEntries(
    fields.map((field) => {
      const readOnly = isReadOnly(field);
      const state = {
        visible: isFieldVisible(definition, field, values, formContext),
        required: !readOnly && requiredNames.has(field.name),
        readOnly,
      };
      return [field.name, state];
    }),
  );
}
