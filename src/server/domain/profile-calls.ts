import { described } from '../http/described';
import { data, id, instant, object, orNull, text } from '../http/schemas';
import { idempotencyHeader } from '../idempotency/header';
import { profileForm } from './profile-form';

const tag = 'Profile';
const profile = object({
  id,
  first_name: text,
  last_name: text,
  email: text,
  phone_number: orNull(text),
  role_id: id,
  site_id: orNull(id),
  status: text,
  updated_at: instant,
});

/** How the calls of the profile describe themselves. */
export const calls = {
  read: described({ id: 'read-profile', tag, summary: 'Get your profile', answer: data(profile) }),
  change: described({
    id: 'change-profile',
    tag,
    summary: 'Change your profile, or your password with change_password: your other sessions end',
    form: profileForm,
    headers: idempotencyHeader,
    answer: data(profile),
  }),
};
