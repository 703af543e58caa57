import { evaluateOnValues } from '../conditions/match-values';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';

/** Who insists: the API, or the form as well. */
export type Strictness = 'api' | 'form';

/**
 * The fields that clients can send.
 *
 * @example writableFields(definition).map(({ name }) => name); // ['name', 'due']
 */
export function writableFields(definition: Pick<Definition, 'fields'>): Field[] {
  return Object.values(definition.fields).filter(
    (field) => !field.readOnly && (!field.system || field.name === 'site_id'),
  );
}

/** Whether the form shows a field, as far as is known; a hidden field is never required. */
export function isFieldVisible(
  { fields }: Pick<Definition, 'fields'>,
  { visible }: Field,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  return !visible || evaluateOnValues(fields, visible, values, evaluationContext) !== false;
}

/** The fields that must have a value, considering conditions and visibility. */
export function requiredFields(
  definition: Pick<Definition, 'fields'>,
  strictness: Strictness,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Field[] {
  return writableFields(definition).filter((field) => {
    if (!isFieldVisible(definition, field, values, evaluationContext)) return false;
    const condition = field.requiredWhen;
    if (condition && evaluateOnValues(definition.fields, condition, values, evaluationContext) === true) return true;
    return strictness === 'form' ? field.requiredInForm : field.required;
  });
}
