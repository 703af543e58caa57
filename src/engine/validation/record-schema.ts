import { matchesCondition } from '../conditions/match-condition';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf, type ValueSchema } from '../field-types';

/** A JSON Schema for a record's values: one property per field, nulls removed. */
export interface RecordSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
}

/** Who insists: the API, or the form as well. */
export type Strictness = 'api' | 'form';

/** The fields that clients can send. */
export function writableFields(definition: Definition): Field[] {
  return Object.values(definition.fields).filter(
    (field) => !field.readOnly && (!field.system || field.name === 'site_id'),
  );
}

/**
 * The schema derived from a definition: compiled by ajv, interpreted by the form, and shown in the OpenAPI document.
 */
export function recordSchema(definition: Definition, strictness: Strictness): RecordSchema {
  const fields = writableFields(definition);
  const insists = (field: Field) => (strictness === 'form' ? field.requiredInForm : field.required);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldTypeOf(field).schema(field)])),
    required: fields.filter((field) => insists(field) && field.name !== 'site_id').map((field) => field.name),
    additionalProperties: false,
  };
}

/** Whether the form shows a field; a hidden field is never required. */
export function isFieldVisible(field: Field, values: ResourceRecord, evaluationContext: EvaluationContext): boolean {
  return !field.visible || matchesCondition(field.visible, values, { form: values, ...evaluationContext });
}

/** The fields that must have a value, considering conditions and visibility. */
export function requiredFields(
  definition: Definition,
  strictness: Strictness,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): Field[] {
  return writableFields(definition).filter((field) => {
    if (!isFieldVisible(field, values, evaluationContext)) return false;
    if (field.requiredWhen && matchesCondition(field.requiredWhen, values, { form: values, ...evaluationContext }))
      return true;
    return strictness === 'form' ? field.requiredInForm : field.required;
  });
}
