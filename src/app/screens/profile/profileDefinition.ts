import { normalise } from '../../../engine/normalise/normalise';

/** The profile as a definition, so that its form is rendered and validated like those of records. */
export const profileDefinition = normalise({
  name: 'profile',
  labels: { one: 'Profile', many: 'Profiles' },
  scope: 'self',
  history: false,
  recordTitle: '{first_name} {last_name}',
  fields: {
    first_name: { type: 'text', required: true, maxLength: 100 },
    last_name: { type: 'text', required: true, maxLength: 100 },
    email: { type: 'email', readOnly: true },
    phone_number: { type: 'phone', maxLength: 15 },
    change_password: { type: 'boolean', label: 'Change password', width: 'full' },
    current_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
      width: 'full',
    },
    new_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
    },
    confirm_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
      placeholder: 'Repeat the new password',
    },
  },
  form: {
    sections: [
      {
        label: 'You',
        description: 'How colleagues see you.',
        fields: ['first_name', 'last_name', 'email', 'phone_number'],
      },
      {
        label: 'Password',
        description: 'A change ends your other sign-ins and sends you an email.',
        fields: ['change_password', 'current_password', 'new_password', 'confirm_password'],
      },
    ],
  },
});
