import { described } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
import { defineForm } from '../session/forms';

const challenge = { required: true, maxLength: 100, label: 'challenge' } as const;

/** The body of calls that send only the challenge of a second step. */
export const challengeForm = defineForm({ challenge });

/** The body of `POST login/second-factor`, besides `passkey`. */
export const stepForm = defineForm({
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
const authenticator = object({ secret: text, uri: { ...text, description: 'The content of the QR code.' } });
const passkey = { id, name: text, created_at: instant, last_used_at: orNull(instant) };
const codes = { recovery_codes: { type: ['array', 'null'], items: text, description: 'Shown once.' } };
const step = object(
  {
    status: flag,
    message: text,
    token: text,
    tries_left: { ...whole, description: 'If the response was wrong.' },
    ...codes,
  },
  ['status', 'message'],
);
const passkeyBody = object({ passkey: answer }, ['passkey']);

/** The documentation of the calls of second factors. */
export const calls = {
  secondStep: described({
    id: 'second-step',
    tag,
    summary: 'The second step of a sign-in: a code from an authenticator app, a recovery code, or a passkey',
    open: true,
    body: object({ challenge: text, code: text, recovery_code: text, passkey: answer, trust_device: flag }, [
      'challenge',
    ]),
    answer: step,
  }),
  stepTotp: described({
    id: 'second-step-totp',
    tag,
    summary: 'Set up an authenticator app during a sign-in that requires one',
    open: true,
    form: challengeForm,
    answer: data(authenticator),
  }),
  stepPasskey: described({
    id: 'second-step-passkey',
    tag,
    summary: 'Options of the passkey of a second step',
    open: true,
    form: challengeForm,
    answer: data(options),
  }),
  passkeyOptions: described({
    id: 'passkey-options',
    tag,
    summary: 'Options of signing in with a passkey',
    open: true,
    answer: data(options),
  }),
  passkeySignIn: described({
    id: 'passkey-sign-in',
    tag,
    summary: 'Sign in with a passkey alone',
    open: true,
    body: passkeyBody,
    answer: step,
  }),
  own: described({
    id: 'own-second-factor',
    tag,
    summary: 'Your second factor',
    answer: data(
      object({
        authenticator_since: orNull(instant),
        recovery_codes_left: whole,
        passkeys: listOf(object(passkey)),
        required: { type: ['object', 'null'], properties: { by: { enum: ['role', 'company'] }, from: orNull(text) } },
      }),
    ),
  }),
  beginTotp: described({
    id: 'begin-authenticator',
    tag,
    summary: 'Start setting up an authenticator app',
    answer: data(authenticator),
  }),
  confirmTotp: described({
    id: 'confirm-authenticator',
    tag,
    summary: 'Activate the authenticator app with one of its codes',
    form: codeForm,
    answer: data(object(codes)),
  }),
  removeTotp: described({
    id: 'remove-authenticator',
    tag,
    summary: 'Remove your authenticator app',
    answer: data({ type: 'null' }),
  }),
  recoveryCodes: described({
    id: 'make-recovery-codes',
    tag,
    summary: 'Create new recovery codes, which replace the previous ones',
    answer: data(object(codes)),
  }),
  passkeyOptionsOfOwn: described({
    id: 'add-passkey-options',
    tag,
    summary: 'Options of adding a passkey',
    answer: data(options),
  }),
  addPasskey: described({
    id: 'add-passkey',
    tag,
    summary: 'Add a passkey',
    created: true,
    body: object({ name: text, passkey: answer }, ['name', 'passkey']),
    answer: data(object({ ...passkey, ...codes })),
  }),
  renamePasskey: described({
    id: 'rename-passkey',
    tag,
    summary: 'Rename a passkey',
    form: nameForm,
    answer: data(object(passkey)),
  }),
  removePasskey: described({ id: 'remove-passkey', tag, summary: 'Remove a passkey', answer: data(object(passkey)) }),
  reset: described({
    id: 'reset-second-factor',
    tag,
    summary: "Remove a user's second factor",
    form: userForm,
    answer: outcome,
  }),
};
