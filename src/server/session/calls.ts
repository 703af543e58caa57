import { described } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
import { defineForm } from './forms';

/** `POST login`: what is sent. */
export const loginForm = defineForm({
  email: { type: 'email', required: true },
  password: { type: 'password', required: true },
  recovery_code: { maxLength: 40 },
});

/** `POST register`: what is sent. */
export const registrationForm = defineForm({
  first_name: { required: true },
  last_name: { required: true },
  site_name: { required: true, label: 'Company Name' },
  email: { type: 'email', required: true },
  password: { type: 'password', required: true },
  phone_number: { type: 'phone', maxLength: 15 },
});

/** `POST forgot-password`: what is sent. */
export const forgotForm = defineForm({ email: { type: 'email', required: true } });

const code = {
  required: true,
  label: 'Verification Code',
  pattern: '^[A-Za-z0-9]+$',
  patternMessage: 'Only letters and digits are allowed.',
} as const;

/** `POST reset-password`: what is sent. */
export const resetForm = defineForm({
  verification_code: code,
  new_password: { type: 'password', required: true },
  confirm_password: { type: 'password', required: true },
});

/** `POST confirm-address`: what is sent. */
export const codeForm = defineForm({ verification_code: code });

/** `POST session/renew`: what is sent. */
export const renewalForm = defineForm({
  sign_in_id: { type: 'number', required: true, min: 1, integer: true, label: 'sign_in_id' },
});

/** `POST me/proof`: what is sent, or `passkey` in its place. */
export const proofForm = defineForm({ password: { maxLength: 1000 }, code: { maxLength: 10 } });

const tag = 'Signing in';
const renewable = {
  sign_in_id: { ...id, description: 'With X-Session: renewable.' },
  expires_in: { ...whole, description: 'Seconds for which the token is good. With X-Session: renewable.' },
};
const second_factor = {
  ...object({ challenge: text, kind: { enum: ['verify', 'setup'] }, methods: listOf(text), expires_in: whole }),
  description: 'With a false status: the second step that is needed, see POST login/second-factor.',
};
const headers = {
  'X-Session':
    '"renewable" asks for a token of 15 minutes and a cookie to renew it with, as the browser application does.',
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
  provider: { ...orNull(text), description: 'What proves it by single sign-on.' },
});
const permissions = { type: 'object', additionalProperties: listOf(text), description: 'Granted actions by module.' };
const site = { type: ['object', 'null'], properties: { id, name: text } };

/** How the calls of signing in describe themselves. */
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
    summary: 'Ask for a code to set a new password',
    open: true,
    form: forgotForm,
    answer: outcome,
  }),
  resetPassword: described({
    id: 'reset-password',
    tag,
    summary: 'Set a password with the code of a mail',
    open: true,
    form: resetForm,
    answer: outcome,
  }),
  codeOwner: described({
    id: 'code-owner',
    tag,
    summary: 'Whose password the code of a mail sets; null for a code that sets none',
    open: true,
    form: codeForm,
    answer: data({ ...object({ name: text, email: text }), type: ['object', 'null'] }),
  }),
  confirmAddress: described({
    id: 'confirm-address',
    tag,
    summary: 'Confirm an address with the code of a mail',
    open: true,
    form: codeForm,
    answer: outcome,
  }),
  resendConfirmation: described({
    id: 'resend-confirmation',
    tag,
    summary: 'Have the mail that confirms your address sent again',
    answer: outcome,
  }),
  me: described({
    id: 'me',
    tag,
    summary: 'Who you are and what you may',
    answer: data(
      object({ user: object({ ...user, site, confirmed: flag, mayViewAs: flag }), role, ...totals, permissions }),
    ),
  }),
  renew: described({
    id: 'renew-session',
    tag,
    summary: 'The next token of a browser, for the cookie that came with the last one',
    open: true,
    headers,
    form: renewalForm,
    answer: object({ token: text, token_type: { const: 'Bearer' }, ...renewable }),
  }),
  proof: described({
    id: 'proof',
    tag,
    summary: 'Until when you may change credentials, roles and permissions, and how to prove who you are',
    answer: data(proof),
  }),
  provePasskey: described({
    id: 'prove-passkey',
    tag,
    summary: 'Options of a passkey that is to prove who you are',
    answer: data({ type: 'object' }),
  }),
  prove: described({
    id: 'prove',
    tag,
    summary: 'Prove who you are: for ten minutes you may change credentials, roles and permissions',
    form: proofForm,
    answer: data(proof),
  }),
  logout: described({ id: 'logout', tag, summary: 'End this sign-in', whileViewing: true, answer: outcome }),
  signIns: described({ id: 'sign-ins', tag, summary: 'Your sign-ins', answer: data(listOf(signIn)) }),
  endSignIn: described({ id: 'end-sign-in', tag, summary: 'End one of your sign-ins', answer: data(signIn) }),
};
