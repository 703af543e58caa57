import { Type, type Static, type TProperties } from 'typebox';
import {
  dataOf,
  dateTime,
  defineCall,
  emailText,
  form,
  formText,
  id,
  idParams,
  nullable,
  outcome,
  outcomeOf,
  passwordText,
} from '../../routing/define-call';
import { preferences } from '../profile/preference-calls';
import { passkeyAnswer } from '../second-factor/calls';

/** Options of forms before sign-in. Their clients also send what the server decides itself. */
const sessionForm = {
  ...form,
  ignored: ['authenticateUrl', 'resetPasswordLink', 'invitationLink', 'setup_account'],
} as const;
const verification_code = formText('Verification Code', {
  pattern: '^[A-Za-z0-9]+$',
  errorMessage: 'Only letters and digits are allowed.',
});
const codeForm = Type.Object({ verification_code }, sessionForm);
const loginForm = Type.Object(
  {
    email: emailText(),
    password: passwordText(),
    recovery_code: Type.Optional(formText('Recovery Code', { maxLength: 40 })),
  },
  sessionForm,
);
const registrationForm = Type.Object(
  {
    first_name: formText('First Name'),
    last_name: formText('Last Name'),
    site_name: formText('Company Name'),
    email: emailText(),
    password: passwordText(),
    phone_number: Type.Optional(formText('Phone Number', { maxLength: 15, pattern: '^[0-9+()./ -]*$' })),
  },
  sessionForm,
);
const resetForm = Type.Object(
  {
    verification_code,
    new_password: passwordText('New Password'),
    confirm_password: passwordText('Confirm Password'),
    setup_account: Type.Optional(
      Type.Unknown({ description: 'Anything but false, 0 and "": the code is from an invitation.' }),
    ),
  },
  sessionForm,
);
const proofForm = Type.Object(
  {
    password: Type.Optional(Type.String({ title: 'Password', format: 'password', maxLength: 1000 })),
    code: Type.Optional(formText('Code', { maxLength: 10 })),
    passkey: Type.Optional(passkeyAnswer),
  },
  sessionForm,
);

/** One of them is set. */
export type Credentials = Static<typeof proofForm>;
export type Registration = Static<typeof registrationForm>;

const tag = 'Signing in';
const renewable = {
  sign_in_id: Type.Integer({ minimum: 1, description: 'With X-Session: renewable.' }),
  expires_in: Type.Integer({ description: 'Lifetime of the token in seconds. With X-Session: renewable.' }),
};
const second_factor = Type.Object(
  {
    challenge: Type.String(),
    kind: Type.Enum(['verify', 'setup']),
    methods: Type.Array(Type.String()),
    expires_in: Type.Integer(),
  },
  { description: 'If status is false: the required second step, see POST login/second-factor.' },
);
const headers = {
  'X-Session': '"renewable" requests a token for 15 minutes and a cookie to renew it, as the browser application does.',
};
const role = Type.Object({ id, role_name: Type.String(), level: Type.Integer() });
/** The own role with its key, which rules name. */
export const ownRole = Type.Object({ ...role.properties, key: Type.String() });
export const roleNames = Type.Array(Type.Object({ key: Type.String(), name: Type.String(), level: Type.Integer() }), {
  description: 'The roles of the installation and of the company, as messages name them; none for external users.',
});
const user = {
  id,
  name: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  role_id: id,
  site_id: nullable(id),
};
const signedIn = (facts: TProperties) =>
  outcomeOf({
    token: Type.String(),
    token_type: Type.Literal('Bearer'),
    ...renewable,
    second_factor,
    user: Type.Object(user),
    role,
    ...facts,
  });
const signIn = Type.Object({
  id,
  created_at: dateTime,
  last_used_at: dateTime,
  agent: nullable(Type.String()),
  current: Type.Boolean(),
});
const proof = Type.Object({
  proven_until: nullable(dateTime),
  methods: Type.Array(Type.String()),
  provider: nullable(Type.String(), { description: 'The single sign-on provider that can confirm it.' }),
});
const permissions = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Granted actions by module.',
});
const site = nullable(Type.Object({ id, name: Type.String() }));

/** The calls that say who signed in, and what the product adds to that (`Product.signInFacts`). */
export const signInCalls = (facts: TProperties = {}) => ({
  login: defineCall({
    id: 'login',
    tag,
    summary: 'Sign in',
    scope: 'public',
    headers,
    body: loginForm,
    answer: signedIn(facts),
  }),
  register: defineCall({
    id: 'register',
    tag,
    summary: 'Register a company and its owner',
    scope: 'public',
    headers,
    body: registrationForm,
    answer: signedIn(facts),
  }),
  me: defineCall({
    id: 'me',
    scope: 'person',
    tag,
    summary: 'Your account and permissions',
    answer: dataOf(
      Type.Object({
        user: Type.Object({ ...user, site, confirmed: Type.Boolean(), mayViewAs: Type.Boolean() }),
        role: ownRole,
        roles: roleNames,
        ...facts,
        permissions,
        preferences,
      }),
    ),
  }),
});

/** The other calls of signing in. */
export const sessionCalls = {
  forgotPassword: defineCall({
    id: 'forgot-password',
    tag,
    summary: 'Request a code to set a new password',
    scope: 'public',
    body: Type.Object({ email: emailText() }, sessionForm),
    answer: outcome,
  }),
  resetPassword: defineCall({
    id: 'reset-password',
    tag,
    summary: 'Set a password with the code from a mail',
    scope: 'public',
    body: resetForm,
    answer: outcome,
  }),
  codeOwner: defineCall({
    id: 'code-owner',
    tag,
    summary: 'The user whose password the code from a mail sets; null for an invalid code',
    scope: 'public',
    body: codeForm,
    answer: dataOf(nullable(Type.Object({ name: Type.String(), email: Type.String() }))),
  }),
  confirmAddress: defineCall({
    id: 'confirm-address',
    tag,
    summary: 'Confirm an email address with the code from a mail',
    scope: 'public',
    body: codeForm,
    answer: outcome,
  }),
  resendConfirmation: defineCall({
    id: 'resend-confirmation',
    scope: 'person',
    tag,
    summary: 'Resend the mail that confirms your email address',
    answer: outcome,
  }),
  renew: defineCall({
    id: 'renew-session',
    tag,
    summary: "Renew a browser's token with its cookie",
    scope: 'public',
    headers,
    body: Type.Object({ sign_in_id: id }, sessionForm),
    answer: Type.Object({ token: Type.String(), token_type: Type.Literal('Bearer'), ...renewable }),
  }),
  proof: defineCall({
    id: 'proof',
    scope: 'person',
    tag,
    summary: 'Until when you may change credentials, roles and permissions, and how to confirm your identity',
    answer: dataOf(proof),
  }),
  provePasskey: defineCall({
    id: 'prove-passkey',
    scope: 'person',
    tag,
    summary: 'Options of a passkey that confirms your identity',
    answer: dataOf(Type.Object({})),
  }),
  prove: defineCall({
    id: 'prove',
    scope: 'person',
    tag,
    summary: 'Confirm your identity: for ten minutes you may change credentials, roles and permissions',
    body: proofForm,
    answer: dataOf(proof),
  }),
  logout: defineCall({
    id: 'logout',
    scope: 'person',
    tag,
    summary: 'End this sign-in',
    allowedWhileViewing: true,
    answer: outcome,
  }),
  demoAccounts: defineCall({
    id: 'demo-accounts',
    tag,
    summary: 'The demo accounts to offer on the sign-in page; empty without demo data',
    scope: 'public',
    answer: dataOf(Type.Array(Type.Object({}))),
  }),
  signIns: defineCall({
    id: 'sign-ins',
    scope: 'person',
    tag,
    summary: 'Your sign-ins',
    answer: dataOf(Type.Array(signIn)),
  }),
  endSignIn: defineCall({
    id: 'end-sign-in',
    scope: 'person',
    tag,
    params: idParams,
    summary: 'End one of your sign-ins',
    answer: dataOf(signIn),
  }),
};
