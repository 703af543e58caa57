import { describeCall } from '../../routing/call-description';
import {
  dataSchema,
  idSchema,
  dateTimeSchema,
  objectSchema,
  nullableSchema,
  stringSchema,
} from '../../routing/schemas';
import { idempotencyHeader } from '../../idempotency/header';
import { profileForm } from './profile-form';

const tag = 'Profile';
const profile = objectSchema({
  id: idSchema,
  first_name: stringSchema,
  last_name: stringSchema,
  email: stringSchema,
  phone_number: nullableSchema(stringSchema),
  role_id: idSchema,
  site_id: nullableSchema(idSchema),
  status: stringSchema,
  updated_at: dateTimeSchema,
});

/** How the calls of the profile describe themselves. */
export const profileCalls = {
  read: describeCall({ id: 'read-profile', tag, summary: 'Get your profile', answer: dataSchema(profile) }),
  change: describeCall({
    id: 'change-profile',
    tag,
    summary: 'Change your profile, or your password with change_password: your other sessions end',
    form: profileForm,
    headers: idempotencyHeader,
    answer: dataSchema(profile),
  }),
};
