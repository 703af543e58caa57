import { describeCall } from '../../routing/call-description';
import {
  dataSchema,
  booleanSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  outcomeSchema,
  stringSchema,
  integerSchema,
} from '../../routing/schemas';
import { defineForm } from './forms';

/** The body of `POST login`. */
export const loginForm = defineForm({
  email: { type: 'email', required: true },
  password: { type: 'password', required: true },
  recovery_code: { maxLength: 40 },
});

/** The body of `POST register`. */
export const registrationForm = defineForm({
  first_name: { required: true },
  last_name: { required: true },
  site_name: { required: true, label: 'Company Name' },
  email: { type: 'email', required: true },
  password: { type: 'password', required: true },
  phone_number: { type: 'phone', maxLength: 15 },
});

/** The body of `POST forgot-password`. */
export const forgotForm = defineForm({ email: { type: 'email', required: true } });

const code = {
  required: true,
  label: 'Verification Code',
  pattern: '^[A-Za-z0-9]+$',
  patternMessage: 'Only letters and digits are allowed.',
} as const;

/** The body of `POST reset-password`. */
export const resetForm = defineForm({
  verification_code: code,
  new_password: { type: 'password', required: true },
  confirm_password: { type: 'password', required: true },
});

/** The body of `POST confirm-address`. */
export const codeForm = defineForm({ verification_code: code });

/** The body of `POST session/renew`. */
export const renewalForm = defineForm({
  sign_in_id: { type: 'number', required: true, min: 1, integer: true, label: 'sign_in_id' },
});

/** The body of `POST me/proof`, or `passkey` instead. */
export const proofForm = defineForm({ password: { maxLength: 1000 }, code: { maxLength: 10 } });

const tag = 'Signing in';
const renewable = {
  sign_in_id: { ...idSchema, description: 'With X-Session: renewable.' },
  expires_in: { ...integerSchema, description: 'Lifetime of the token in seconds. With X-Session: renewable.' },
};
const second_factor = {
  ...objectSchema({
    challenge: stringSchema,
    kind: { enum: ['verify', 'setup'] },
    methods: arraySchema(stringSchema),
    expires_in: integerSchema,
  }),
  description: 'If status is false: the required second step, see POST login/second-factor.',
};
const headers = {
  'X-Session': '"renewable" requests a token for 15 minutes and a cookie to renew it, as the browser application does.',
};
const role = objectSchema({ id: idSchema, role_name: stringSchema, level: integerSchema });
const totals = { totalClients: integerSchema, totalProjects: integerSchema };
const user = {
  id: idSchema,
  name: stringSchema,
  first_name: stringSchema,
  last_name: stringSchema,
  email: stringSchema,
  role_id: idSchema,
  site_id: nullableSchema(idSchema),
};
const signedIn = objectSchema(
  {
    status: booleanSchema,
    message: stringSchema,
    token: stringSchema,
    token_type: { const: 'Bearer' },
    ...renewable,
    second_factor,
    user: objectSchema(user),
    role,
    ...totals,
  },
  ['status', 'message'],
);
const signIn = objectSchema({
  id: idSchema,
  created_at: dateTimeSchema,
  last_used_at: dateTimeSchema,
  agent: nullableSchema(stringSchema),
  current: booleanSchema,
});
const proof = objectSchema({
  proven_until: nullableSchema(dateTimeSchema),
  methods: arraySchema(stringSchema),
  provider: { ...nullableSchema(stringSchema), description: 'The single sign-on provider that can confirm it.' },
});
const permissions = {
  type: 'object',
  additionalProperties: arraySchema(stringSchema),
  description: 'Granted actions by module.',
};
const site = { type: ['object', 'null'], properties: { id: idSchema, name: stringSchema } };

/** The documentation of the calls of signing in. */
export const sessionCalls = {
  login: describeCall({
    id: 'login',
    tag,
    summary: 'Sign in',
    isPublic: true,
    headers,
    form: loginForm,
    answer: signedIn,
  }),
  register: describeCall({
    id: 'register',
    tag,
    summary: 'Register a company and its owner',
    isPublic: true,
    headers,
    form: registrationForm,
    answer: signedIn,
  }),
  forgotPassword: describeCall({
    id: 'forgot-password',
    tag,
    summary: 'Request a code to set a new password',
    isPublic: true,
    form: forgotForm,
    answer: outcomeSchema,
  }),
  resetPassword: describeCall({
    id: 'reset-password',
    tag,
    summary: 'Set a password with the code from a mail',
    isPublic: true,
    form: resetForm,
    answer: outcomeSchema,
  }),
  codeOwner: describeCall({
    id: 'code-owner',
    tag,
    summary: 'The user whose password the code from a mail sets; null for an invalid code',
    isPublic: true,
    form: codeForm,
    answer: dataSchema({ ...objectSchema({ name: stringSchema, email: stringSchema }), type: ['object', 'null'] }),
  }),
  confirmAddress: describeCall({
    id: 'confirm-address',
    tag,
    summary: 'Confirm an email address with the code from a mail',
    isPublic: true,
    form: codeForm,
    answer: outcomeSchema,
  }),
  resendConfirmation: describeCall({
    id: 'resend-confirmation',
    tag,
    summary: 'Resend the mail that confirms your email address',
    answer: outcomeSchema,
  }),
  me: describeCall({
    id: 'me',
    tag,
    summary: 'Your account and permissions',
    answer: dataSchema(
      objectSchema({
        user: objectSchema({ ...user, site, confirmed: booleanSchema, mayViewAs: booleanSchema }),
        role,
        ...totals,
        permissions,
      }),
    ),
  }),
  renew: describeCall({
    id: 'renew-session',
    tag,
    summary: "Renew a browser's token with its cookie",
    isPublic: true,
    headers,
    form: renewalForm,
    answer: objectSchema({ token: stringSchema, token_type: { const: 'Bearer' }, ...renewable }),
  }),
  proof: describeCall({
    id: 'proof',
    tag,
    summary: 'Until when you may change credentials, roles and permissions, and how to confirm your identity',
    answer: dataSchema(proof),
  }),
  provePasskey: describeCall({
    id: 'prove-passkey',
    tag,
    summary: 'Options of a passkey that confirms your identity',
    answer: dataSchema({ type: 'object' }),
  }),
  prove: describeCall({
    id: 'prove',
    tag,
    summary: 'Confirm your identity: for ten minutes you may change credentials, roles and permissions',
    form: proofForm,
    answer: dataSchema(proof),
  }),
  logout: describeCall({
    id: 'logout',
    tag,
    summary: 'End this sign-in',
    allowedWhileViewing: true,
    answer: outcomeSchema,
  }),
  signIns: describeCall({ id: 'sign-ins', tag, summary: 'Your sign-ins', answer: dataSchema(arraySchema(signIn)) }),
  endSignIn: describeCall({ id: 'end-sign-in', tag, summary: 'End one of your sign-ins', answer: dataSchema(signIn) }),
};
