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
  const sent = fields.filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  const values = parseFormValues(sent, form.values);
  const changed = changedFields(sent, form.before, form.values).map(({ name }) => [name, values[name]] as const);
  return {
    ...Object.fromEntries(changed),
    ...takenVersions(sent, form.values),
    ...('updated_at' in form.record && { updated_at: form.record.updated_at }),
  };
}
