import { described } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
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
  sign_in_id: { ...id, description: 'With X-Session: renewable.' },
  expires_in: { ...whole, description: 'Lifetime of the token in seconds. With X-Session: renewable.' },
};
const second_factor = {
  ...object({ challenge: text, kind: { enum: ['verify', 'setup'] }, methods: listOf(text), expires_in: whole }),
  description: 'If status is false: the required second step, see POST login/second-factor.',
};
const headers = {
  'X-Session': '"renewable" requests a token for 15 minutes and a cookie to renew it, as the browser application does.',
};
const role = object({ id, role_name: text, level: whole });
const totals = { totalClients: whole, totalProjects: whole };
const user = {
  id,
  name: text,
  first_name: text,
  last_name: text,
  email: text,
  role_id: id,
  site_id: orNull(id),
};
const signedIn = object(
  {
    status: flag,
    message: text,
    token: text,
    token_type: { const: 'Bearer' },
    ...renewable,
    second_factor,
    user: object(user),
    role,
    ...totals,
  },
  ['status', 'message'],
);
const signIn = object({ id, created_at: instant, last_used_at: instant, agent: orNull(text), current: flag });
const proof = object({
  proven_until: orNull(instant),
  methods: listOf(text),
  provider: { ...orNull(text), description: 'The single sign-on provider that can confirm it.' },
});
const permissions = { type: 'object', additionalProperties: listOf(text), description: 'Granted actions by module.' };
const site = { type: ['object', 'null'], properties: { id, name: text } };

/** The documentation of the calls of signing in. */
export const calls = {
  login: described({ id: 'login', tag, summary: 'Sign in', open: true, headers, form: loginForm, answer: signedIn }),
  register: described({
    id: 'register',
    tag,
    summary: 'Register a company and its owner',
    open: true,
    headers,
    form: registrationForm,
    answer: signedIn,
  }),
  forgotPassword: described({
    id: 'forgot-password',
    tag,
    summary: 'Request a code to set a new password',
    open: true,
    form: forgotForm,
    answer: outcome,
  }),
  resetPassword: described({
    id: 'reset-password',
    tag,
    summary: 'Set a password with the code from a mail',
    open: true,
    form: resetForm,
    answer: outcome,
  }),
  codeOwner: described({
    id: 'code-owner',
    tag,
    summary: 'The user whose password the code from a mail sets; null for an invalid code',
    open: true,
    form: codeForm,
    answer: data({ ...object({ name: text, email: text }), type: ['object', 'null'] }),
  }),
  confirmAddress: described({
    id: 'confirm-address',
    tag,
    summary: 'Confirm an email address with the code from a mail',
    open: true,
    form: codeForm,
    answer: outcome,
  }),
  resendConfirmation: described({
    id: 'resend-confirmation',
    tag,
    summary: 'Resend the mail that confirms your email address',
    answer: outcome,
  }),
  me: described({
    id: 'me',
    tag,
    summary: 'Your account and permissions',
    answer: data(
      object({ user: object({ ...user, site, confirmed: flag, mayViewAs: flag }), role, ...totals, permissions }),
    ),
  }),
  renew: described({
    id: 'renew-session',
    tag,
    summary: "Renew a browser's token with its cookie",
    open: true,
    headers,
    form: renewalForm,
    answer: object({ token: text, token_type: { const: 'Bearer' }, ...renewable }),
  }),
  proof: described({
    id: 'proof',
    tag,
    summary: 'Until when you may change credentials, roles and permissions, and how to confirm your identity',
    answer: data(proof),
  }),
  provePasskey: described({
    id: 'prove-passkey',
    tag,
    summary: 'Options of a passkey that confirms your identity',
    answer: data({ type: 'object' }),
  }),
  prove: described({
    id: 'prove',
    tag,
    summary: 'Confirm your identity: for ten minutes you may change credentials, roles and permissions',
    form: proofForm,
    answer: data(proof),
  }),
  logout: described({ id: 'logout', tag, summary: 'End this sign-in', whileViewing: true, answer: outcome }),
  signIns: described({ id: 'sign-ins', tag, summary: 'Your sign-ins', answer: data(listOf(signIn)) }),
  endSignIn: described({ id: 'end-sign-in', tag, summary: 'End one of your sign-ins', answer: data(signIn) }),
};
