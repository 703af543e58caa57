import { Type, type Static } from 'typebox';
import {
  dataOf,
  dateTime,
  defineCall,
  form,
  formText,
  id,
  idParams,
  nullable,
  outcome,
  outcomeOf,
  userBody,
} from '../../routing/define-call';

/** The response of an authenticator, in a body. */
export const passkeyAnswer = Type.Object(
  { id: Type.String() },
  {
    description: 'The response of an authenticator in the JSON format of WebAuthn.',
    errorMessage: 'passkey must be the response of an authenticator.',
  },
);

const challenge = Type.String({ maxLength: 100 });
const challengeForm = Type.Object({ challenge }, form);
const code = formText('Code', { maxLength: 10 });
const name = formText('Name', { maxLength: 60 });
const secondStepForm = Type.Object(
  {
    challenge,
    code: Type.Optional(code),
    recovery_code: Type.Optional(formText('Recovery Code', { maxLength: 40 })),
    trust_device: Type.Optional(Type.Boolean({ title: 'Trust Device' })),
    passkey: Type.Optional(passkeyAnswer),
  },
  form,
);

export type SecondStep = Static<typeof secondStepForm>;

const tag = 'Second factor';
const options = Type.Object({}, { description: 'Options for navigator.credentials in the JSON format of WebAuthn.' });
const authenticator = Type.Object({
  secret: Type.String(),
  uri: Type.String({ description: 'The content of the QR code.' }),
});
const passkey = {
  id: id,
  name: Type.String(),
  created_at: dateTime,
  last_used_at: nullable(dateTime),
};
const codes = { recovery_codes: nullable(Type.Array(Type.String()), { description: 'Shown once.' }) };
const step = outcomeOf({
  token: Type.String(),
  tries_left: Type.Integer({ description: 'If the response was wrong.' }),
  ...codes,
});

/** The calls of second factors. */
export const secondFactorCalls = {
  secondStep: defineCall({
    id: 'second-step',
    tag,
    summary: 'The second step of a sign-in: a code from an authenticator app, a recovery code, or a passkey',
    scope: 'public',
    body: secondStepForm,
    answer: step,
  }),
  stepTotp: defineCall({
    id: 'second-step-totp',
    tag,
    summary: 'Set up an authenticator app during a sign-in that requires one',
    scope: 'public',
    body: challengeForm,
    answer: dataOf(authenticator),
  }),
  stepPasskey: defineCall({
    id: 'second-step-passkey',
    tag,
    summary: 'Options of the passkey of a second step',
    scope: 'public',
    body: challengeForm,
    answer: dataOf(options),
  }),
  passkeyOptions: defineCall({
    id: 'passkey-options',
    tag,
    summary: 'Options of signing in with a passkey',
    scope: 'public',
    answer: dataOf(options),
  }),
  passkeySignIn: defineCall({
    id: 'passkey-sign-in',
    tag,
    summary: 'Sign in with a passkey alone',
    scope: 'public',
    body: Type.Object({ passkey: passkeyAnswer }),
    answer: step,
  }),
  own: defineCall({
    id: 'own-second-factor',
    scope: 'person',
    tag,
    summary: 'Your second factor',
    answer: dataOf(
      Type.Object({
        authenticator_since: nullable(dateTime),
        recovery_codes_left: Type.Integer(),
        passkeys: Type.Array(Type.Object(passkey)),
        required: nullable(Type.Object({ by: Type.Enum(['role', 'company']), from: nullable(Type.String()) })),
      }),
    ),
  }),
  beginTotp: defineCall({
    id: 'begin-authenticator',
    scope: 'person',
    tag,
    summary: 'Start setting up an authenticator app',
    answer: dataOf(authenticator),
  }),
  confirmTotp: defineCall({
    id: 'confirm-authenticator',
    scope: 'person',
    tag,
    summary: 'Activate the authenticator app with one of its codes',
    body: Type.Object({ code }, form),
    answer: dataOf(Type.Object(codes)),
  }),
  removeTotp: defineCall({
    id: 'remove-authenticator',
    scope: 'person',
    tag,
    summary: 'Remove your authenticator app',
    answer: dataOf(Type.Null()),
  }),
  recoveryCodes: defineCall({
    id: 'make-recovery-codes',
    scope: 'person',
    tag,
    summary: 'Create new recovery codes, which replace the previous ones',
    answer: dataOf(Type.Object(codes)),
  }),
  passkeyOptionsOfOwn: defineCall({
    id: 'add-passkey-options',
    scope: 'person',
    tag,
    summary: 'Options of adding a passkey',
    answer: dataOf(options),
  }),
  addPasskey: defineCall({
    id: 'add-passkey',
    scope: 'person',
    tag,
    summary: 'Add a passkey',
    created: true,
    body: Type.Object({ name, passkey: passkeyAnswer }, form),
    answer: dataOf(Type.Object({ ...passkey, ...codes })),
  }),
  renamePasskey: defineCall({
    id: 'rename-passkey',
    scope: 'person',
    tag,
    summary: 'Rename a passkey',
    params: idParams,
    body: Type.Object({ name }, form),
    answer: dataOf(Type.Object(passkey)),
  }),
  removePasskey: defineCall({
    id: 'remove-passkey',
    scope: 'person',
    tag,
    summary: 'Remove a passkey',
    params: idParams,
    answer: dataOf(Type.Object(passkey)),
  }),
  reset: defineCall({
    id: 'reset-second-factor',
    tag,
    summary: "Remove a user's second factor",
    grant: { resource: 'users', action: 'edit' },
    body: userBody,
    answer: outcome,
  }),
};
