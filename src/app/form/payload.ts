import type { ResourceRecord } from '../../engine/definitions/definition';
import { changedFields, parseFormValues, takenVersions } from '../../engine/forms/form-values';
import { createsRecord } from '../../engine/forms/form-fields';
import { newRecord } from '../../engine/forms/new-record';
import type { ResourceFormState } from './useResourceForm';

/**
 * The values to send: all of a new record, the changed ones of a stored record with the version that they were changed
 * from. Hidden and read-only fields are not sent.
 */
export function payloadOf({ model, form, states }: ResourceFormState): ResourceRecord {
  const { fields, mode, definition } = model;
  if (createsRecord(mode)) return newRecord(definition, mode, fields, states, form.values, form.record);
  const sentFields = fields.filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  const values = parseFormValues(sentFields, form.values);
  const changedValues = changedFields(sentFields, form.startValues, form.values).map(
    ({ name }) => [name, values[name]] as const,
  );
  return {
    ...Object.fromEntries(changedValues),
    ...takenVersions(sentFields, form.values),
    ...('updated_at' in form.record && { updated_at: form.record.updated_at }),
  };
}
