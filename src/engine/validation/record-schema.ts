import { holds } from '../conditions/evaluate';
import type { Surroundings } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { typeOf, type ValueSchema } from '../field-types';

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
    properties: Object.fromEntries(fields.map((field) => [field.name, typeOf(field).schema(field)])),
    required: fields.filter((field) => insists(field) && field.name !== 'site_id').map((field) => field.name),
    additionalProperties: false,
  };
}

/** Whether the form shows a field; a hidden field is never required. */
export function isVisible(field: Field, values: ResourceRecord, surroundings: Surroundings): boolean {
  return !field.visible || holds(field.visible, values, { form: values, ...surroundings });
}

/** The fields that must have a value, considering conditions and visibility. */
export function requiredFields(
  definition: Definition,
  strictness: Strictness,
  values: ResourceRecord,
  surroundings: Surroundings,
): Field[] {
  return writableFields(definition).filter((field) => {
    if (!isVisible(field, values, surroundings)) return false;
    if (field.requiredWhen && holds(field.requiredWhen, values, { form: values, ...surroundings })) return true;
    return strictness === 'form' ? field.requiredInForm : field.required;
  });
}
