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
import { defineForm } from '../session/forms';

const challenge = { required: true, maxLength: 100, label: 'challenge' } as const;

/** The body of calls that send only the challenge of a second step. */
export const challengeForm = defineForm({ challenge });

/** The body of `POST login/second-factor`, besides `passkey`. */
export const secondStepForm = defineForm({
  challenge,
  code: { maxLength: 10 },
  recovery_code: { maxLength: 40 },
  trust_device: { type: 'boolean' },
});

/** A code from an authenticator app. */
export const codeForm = defineForm({ code: { required: true, maxLength: 10 } });

/** The name of a passkey. */
export const nameForm = defineForm({ name: { required: true, maxLength: 60 } });

/** The user whose second factor is to be removed. */
export const userForm = defineForm({
  user_id: { type: 'number', required: true, min: 1, integer: true, label: 'user_id' },
});

const tag = 'Second factor';
const options = { type: 'object', description: 'Options for navigator.credentials in the JSON format of WebAuthn.' };
const answer = { type: 'object', description: 'The response of an authenticator in the JSON format of WebAuthn.' };
const authenticator = objectSchema({
  secret: stringSchema,
  uri: { ...stringSchema, description: 'The content of the QR code.' },
});
const passkey = {
  id: idSchema,
  name: stringSchema,
  created_at: dateTimeSchema,
  last_used_at: nullableSchema(dateTimeSchema),
};
const codes = { recovery_codes: { type: ['array', 'null'], items: stringSchema, description: 'Shown once.' } };
const step = objectSchema(
  {
    status: booleanSchema,
    message: stringSchema,
    token: stringSchema,
    tries_left: { ...integerSchema, description: 'If the response was wrong.' },
    ...codes,
  },
  ['status', 'message'],
);
const passkeyBody = objectSchema({ passkey: answer }, ['passkey']);

/** The documentation of the calls of second factors. */
export const secondFactorCalls = {
  secondStep: describeCall({
    id: 'second-step',
    tag,
    summary: 'The second step of a sign-in: a code from an authenticator app, a recovery code, or a passkey',
    isPublic: true,
    body: objectSchema(
      {
        challenge: stringSchema,
        code: stringSchema,
        recovery_code: stringSchema,
        passkey: answer,
        trust_device: booleanSchema,
      },
      ['challenge'],
    ),
    answer: step,
  }),
  stepTotp: describeCall({
    id: 'second-step-totp',
    tag,
    summary: 'Set up an authenticator app during a sign-in that requires one',
    isPublic: true,
    form: challengeForm,
    answer: dataSchema(authenticator),
  }),
  stepPasskey: describeCall({
    id: 'second-step-passkey',
    tag,
    summary: 'Options of the passkey of a second step',
    isPublic: true,
    form: challengeForm,
    answer: dataSchema(options),
  }),
  passkeyOptions: describeCall({
    id: 'passkey-options',
    tag,
    summary: 'Options of signing in with a passkey',
    isPublic: true,
    answer: dataSchema(options),
  }),
  passkeySignIn: describeCall({
    id: 'passkey-sign-in',
    tag,
    summary: 'Sign in with a passkey alone',
    isPublic: true,
    body: passkeyBody,
    answer: step,
  }),
  own: describeCall({
    id: 'own-second-factor',
    tag,
    summary: 'Your second factor',
    answer: dataSchema(
      objectSchema({
        authenticator_since: nullableSchema(dateTimeSchema),
        recovery_codes_left: integerSchema,
        passkeys: arraySchema(objectSchema(passkey)),
        required: {
          type: ['object', 'null'],
          properties: { by: { enum: ['role', 'company'] }, from: nullableSchema(stringSchema) },
        },
      }),
    ),
  }),
  beginTotp: describeCall({
    id: 'begin-authenticator',
    tag,
    summary: 'Start setting up an authenticator app',
    answer: dataSchema(authenticator),
  }),
  confirmTotp: describeCall({
    id: 'confirm-authenticator',
    tag,
    summary: 'Activate the authenticator app with one of its codes',
    form: codeForm,
    answer: dataSchema(objectSchema(codes)),
  }),
  removeTotp: describeCall({
    id: 'remove-authenticator',
    tag,
    summary: 'Remove your authenticator app',
    answer: dataSchema({ type: 'null' }),
  }),
  recoveryCodes: describeCall({
    id: 'make-recovery-codes',
    tag,
    summary: 'Create new recovery codes, which replace the previous ones',
    answer: dataSchema(objectSchema(codes)),
  }),
  passkeyOptionsOfOwn: describeCall({
    id: 'add-passkey-options',
    tag,
    summary: 'Options of adding a passkey',
    answer: dataSchema(options),
  }),
  addPasskey: describeCall({
    id: 'add-passkey',
    tag,
    summary: 'Add a passkey',
    created: true,
    body: objectSchema({ name: stringSchema, passkey: answer }, ['name', 'passkey']),
    answer: dataSchema(objectSchema({ ...passkey, ...codes })),
  }),
  renamePasskey: describeCall({
    id: 'rename-passkey',
    tag,
    summary: 'Rename a passkey',
    form: nameForm,
    answer: dataSchema(objectSchema(passkey)),
  }),
  removePasskey: describeCall({
    id: 'remove-passkey',
    tag,
    summary: 'Remove a passkey',
    answer: dataSchema(objectSchema(passkey)),
  }),
  reset: describeCall({
    id: 'reset-second-factor',
    tag,
    summary: "Remove a user's second factor",
    form: userForm,
    answer: outcomeSchema,
  }),
};
