import { normalise } from '../../../engine/definitions/normalise';
import type { Definition } from '../../../engine/definitions/definition';
import type { FieldSource } from '../../../engine/definitions/source';
import { parseJsonValue } from '../../../engine/field-types/parse-json-value';
import { validateValues, type FieldErrors } from '../../../engine/validation/validate-values';
import { unknownPropertyMessage, violationMessage } from '../../../engine/validation/messages';
import { writableFields } from '../../../engine/validation/record-schema';
import { BadRequest, Invalid } from '../../errors/errors';

/** Fields that the forms before sign-in send, but that the server decides itself. */
const ignored = new Set(['authenticateUrl', 'resetPasswordLink', 'invitationLink', 'setup_account']);

/** Defines a form without a table, validated with the same rules and messages as records. */
export function defineForm(fields: Record<string, FieldSource>): Definition {
  return normalise({ name: 'form', labels: { one: 'Form', many: 'Forms' }, scope: 'installation', fields });
}

/** Validates a body with a form. Throws BadRequest if it is not an object, Invalid with all invalid fields at once. */
export function readForm<T>(form: Definition, sent: unknown): T {
  const body = sent ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new BadRequest('The body must be a JSON object.');
  }
  const fields = new Map(writableFields(form).map((field) => [field.name, field]));
  const values: Record<string, unknown> = {};
  const unknown: [string, string][] = [];
  const wrong: FieldErrors = Object.create(null) as FieldErrors;
  const now = new Date().toISOString();
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    if (field) {
      const read = parseJsonValue(field, value);
      if (read === undefined) wrong[name] = violationMessage(field, { keyword: 'type' });
      else values[name] = read;
    } else if (!ignored.has(name)) unknown.push([name, unknownPropertyMessage(name)]);
  }
  const errors: FieldErrors = {
    ...Object.fromEntries(unknown),
    ...validateValues(form, values, { strictness: 'api', evaluationContext: { today: now.slice(0, 10), now } }),
    ...wrong,
  };
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return values as T;
}
