import type { Actor } from '../access/actor';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { fieldStates, type FieldState } from './field-states';
import { formAccess } from './form-access';
import { formSections, type FormMode } from './form-fields';
import { initialValues, parseFormValues } from './form-values';

/**
 * The body that creates a record from the values of its form: without those that are hidden, read-only or empty. A copy names its
 * original (`record`) where the definition says so.
 *
 * @example newRecord(definition, 'create', fields, states, { name: ' Ada ' }, {}); // { name: 'Ada' }
 */
export function newRecord(
  definition: Definition,
  mode: FormMode,
  fields: readonly Field[],
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
  record: ResourceRecord,
): ResourceRecord {
  const writableFields = fields.filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  const givenValues = Object.entries(parseFormValues(writableFields, values)).filter(([, value]) => value !== null);
  const originalField = mode === 'copy' ? definition.copy?.originalField : undefined;
  return { ...Object.fromEntries(givenValues), ...(originalField !== undefined && { [originalField]: record.id }) };
}

/**
 * The body that creates a copy of a stored record: as its form does when nothing is changed in it.
 *
 * @example copyOfRecord(definition, record, actor, evaluationContext); // { title: 'Sign in - Copy', project_id: 3 }
 */
export function copyOfRecord(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): ResourceRecord {
  const fields = formSections(definition, 'copy', actor).flatMap((section) => section.fields);
  const access = formAccess(definition, 'copy', actor, undefined, evaluationContext);
  const values = initialValues(definition, fields, 'copy', record, evaluationContext);
  const states = fieldStates(definition, fields, 'copy', access, values, { ...evaluationContext, record });
  return newRecord(definition, 'copy', fields, states, values, record);
}
