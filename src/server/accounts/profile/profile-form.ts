import type { Definition } from '../../../engine/definitions/definition';
import { BadRequest, Invalid } from '../../errors/errors';
import { defineForm, readForm } from '../session/forms';

/** Properties that are returned with a profile but cannot be changed here. */
const ignoredFields = new Set([
  'id',
  'name',
  'email',
  'status',
  'status_id',
  'user_status',
  'role',
  'role_id',
  'site',
  'site_id',
  'password',
  'isProfile',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
]);

/** The properties that can be sent. */
export const profileForm = defineForm({
  first_name: { maxLength: 100 },
  last_name: { maxLength: 100 },
  phone_number: { type: 'phone', maxLength: 15 },
  change_password: { type: 'boolean' },
  current_password: { type: 'password' },
  new_password: { type: 'password' },
  confirm_password: { type: 'text' },
});

/** Whether users can change a field of their own record in their profile. */
export const isProfileField = (name: string): boolean => ['first_name', 'last_name', 'phone_number'].includes(name);

/** The password part of a profile change. */
export interface PasswordChange {
  readonly change_password?: boolean | null;
  readonly current_password?: string | null;
  readonly new_password?: string | null;
  readonly confirm_password?: string | null;
}

const passwordFields = ['current_password', 'new_password', 'confirm_password'];

/**
 * Reads the password part of a profile change, which is ignored unless the password is to change; the user's other
 * fields are validated like those of the record. Throws Invalid for wrong values and unknown names.
 */
export function readPasswordChange(
  sent: Readonly<Record<string, unknown>>,
  { fields }: Pick<Definition, 'fields'>,
): PasswordChange {
  const flag = sent.change_password;
  const changes = flag === true || flag === 1 || flag === '1' || flag === 'true';
  if (flag !== undefined && flag !== null && typeof flag === 'object') {
    throw new BadRequest('change_password must be true or false.');
  }
  const rest = Object.entries(sent).filter(
    ([name]) =>
      !ignoredFields.has(name) &&
      fields[name]?.type !== 'inverse' &&
      !isProfileField(name) &&
      (changes || !passwordFields.includes(name)),
  );
  const errors: Record<string, string> = {};
  let read: PasswordChange = {};
  try {
    read = readForm<PasswordChange>(profileForm, { ...Object.fromEntries(rest), change_password: changes });
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    Object.assign(errors, error.errors);
  }
  if (changes) {
    if (!sent.current_password) errors.current_password = 'Current Password is required.';
    if (!sent.new_password) errors.new_password = 'New Password is required.';
    if (!sent.confirm_password) errors.confirm_password = 'Confirm Password is required.';
    else if (sent.confirm_password !== sent.new_password) errors.confirm_password = 'The two passwords do not match.';
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return read;
}
