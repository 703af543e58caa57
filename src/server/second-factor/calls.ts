import { described } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, outcome, text, whole } from '../http/schemas';
import { defineForm } from '../session/forms';

const challenge = { required: true, maxLength: 100, label: 'challenge' } as const;

/** What is sent with the challenge of a second step alone. */
export const challengeForm = defineForm({ challenge });

/** `POST login/second-factor`: what is sent, besides `passkey`. */
export const stepForm = defineForm({
  challenge,
  code: { maxLength: 10 },
  recovery_code: { maxLength: 40 },
  trust_device: { type: 'boolean' },
});

/** The digits of an authenticator. */
export const codeForm = defineForm({ code: { required: true, maxLength: 10 } });

/** What a passkey is called. */
export const nameForm = defineForm({ name: { required: true, maxLength: 60 } });

/** Whose second factor is to be removed. */
export const userForm = defineForm({
  user_id: { type: 'number', required: true, min: 1, integer: true, label: 'user_id' },
});

const tag = 'Second factor';
const options = { type: 'object', description: 'Options for navigator.credentials, as WebAuthn has them in JSON.' };
const answer = { type: 'object', description: 'The answer of an authenticator, as WebAuthn has it in JSON.' };
const authenticator = object({ secret: text, uri: { ...text, description: 'What the QR code says.' } });
const passkey = { id, name: text, created_at: instant, last_used_at: orNull(instant) };
const codes = { recovery_codes: { type: ['array', 'null'], items: text, description: 'Shown once.' } };
const step = object(
  {
    status: flag,
    message: text,
    token: text,
    tries_left: { ...whole, description: 'Where the answer was wrong.' },
    ...codes,
  },
  ['status', 'message'],
);
const passkeyBody = object({ passkey: answer }, ['passkey']);

/** How the calls of second factors describe themselves. */
export const calls = {
  secondStep: described({
    id: 'second-step',
    tag,
    summary: 'The second step of a sign-in: the digits of an authenticator, a recovery code, or a passkey',
    open: true,
    body: object({ challenge: text, code: text, recovery_code: text, passkey: answer, trust_device: flag }, [
      'challenge',
    ]),
    answer: step,
  }),
  stepTotp: described({
    id: 'second-step-totp',
    tag,
    summary: 'Set an authenticator up during a sign-in that requires one',
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
    summary: 'Options of a sign-in by passkey',
    open: true,
    answer: data(options),
  }),
  passkeySignIn: described({
    id: 'passkey-sign-in',
    tag,
    summary: 'Sign in by passkey alone',
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
    summary: 'Begin to set an authenticator up',
    answer: data(authenticator),
  }),
  confirmTotp: described({
    id: 'confirm-authenticator',
    tag,
    summary: 'Take the authenticator into use, with a code of it',
    form: codeForm,
    answer: data(object(codes)),
  }),
  removeTotp: described({
    id: 'remove-authenticator',
    tag,
    summary: 'Remove your authenticator',
    answer: data({ type: 'null' }),
  }),
  recoveryCodes: described({
    id: 'make-recovery-codes',
    tag,
    summary: 'New recovery codes, which end the former ones',
    answer: data(object(codes)),
  }),
  passkeyOptionsOfOwn: described({
    id: 'add-passkey-options',
    tag,
    summary: 'Options of a passkey that is to be added',
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
