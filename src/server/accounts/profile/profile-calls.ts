import { Type, type Static } from 'typebox';
import { dataOf, dateTime, defineCall, id, idParams, nullable } from '../../routing/define-call';
import { maxPasswordLength } from '../../../engine/passwords/rule';
import { idempotencyHeader } from '../../idempotency/header';

const tag = 'Profile';
const profile = Type.Object({
  id,
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  phone_number: nullable(Type.String()),
  role_id: id,
  site_id: nullable(id),
  status: Type.String(),
  updated_at: dateTime,
});

/** Properties that clients send back with a profile, but that cannot be changed here. */
const ignoredProperties = [
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
  'updated_by',
] as const;

const text = (title: string) => Type.Optional(nullable(Type.String(), { title }));
const password = (title: string) =>
  Type.Optional(Type.String({ title, format: 'password', maxLength: maxPasswordLength }));
const profileForm = Type.Object(
  {
    // Validated further like the fields of the user's record.
    first_name: text('First Name'),
    last_name: text('Last Name'),
    phone_number: text('Phone Number'),
    updated_at: text('Updated At'),
    change_password: Type.Optional(
      Type.Boolean({ title: 'Change Password', description: 'Without it the passwords are ignored.' }),
    ),
    current_password: password('Current Password'),
    new_password: password('New Password'),
    confirm_password: password('Confirm Password'),
  },
  { form: true, ignored: ignoredProperties },
);

export type ProfileForm = Static<typeof profileForm>;

/** The calls of the profile. */
export const profileCalls = {
  read: defineCall({
    id: 'read-profile',
    scope: 'person',
    tag,
    summary: 'Get your profile',
    params: idParams,
    answer: dataOf(profile),
  }),
  change: defineCall({
    id: 'change-profile',
    scope: 'person',
    tag,
    summary: 'Change your profile, or your password with change_password: your other sessions end',
    params: idParams,
    body: profileForm,
    headers: idempotencyHeader,
    answer: dataOf(profile),
  }),
};
