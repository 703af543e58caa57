import type { FastifyInstance } from 'fastify';
import { confirmUser, setPassword } from '../domain/code-uses';
import { wantMailOn } from '../domain/mails';
import { Invalid } from '../http/errors';
import type { Program } from '../program';
import { askingLimits, resetLimits, takeAttempt } from './attempts';
import { authenticate } from './authenticate';
import { redeemCode } from './codes';
import { defineForm, readForm } from './forms';
import { hashPassword } from './passwords';

interface Reset {
  readonly verification_code: string;
  readonly new_password: string;
  readonly confirm_password: string;
}

const code = {
  required: true,
  label: 'Verification Code',
  pattern: '^[A-Za-z0-9]+$',
  patternMessage: 'Only letters and digits are allowed.',
} as const;
const form = defineForm({
  verification_code: code,
  new_password: { type: 'password', required: true },
  confirm_password: { type: 'password', required: true },
});
const codeAlone = defineForm({ verification_code: code });

const wrongCode = {
  status: false,
  message: 'This code is wrong, was used already or has run out. Please ask for a new one.',
} as const;

/** `POST reset-password`: a new password, or the first one of an invited account. What it is follows from the code. */
export function registerResetPassword(app: FastifyInstance, program: Program): void {
  const { database } = program;
  app.post('/reset-password', async (request) => {
    const sent = readForm<Reset>(form, request.body);
    if (sent.new_password !== sent.confirm_password) {
      throw new Invalid({ confirm_password: 'The two passwords do not match.' });
    }
    await takeAttempt(database, resetLimits(request.ip));
    const hash = await hashPassword(sent.new_password);
    const done = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, sent.verification_code, ['reset', 'setup']);
      return use !== undefined && (await setPassword(program, trx, use, hash));
    });
    if (!done) return wrongCode;
    return { status: true, message: 'Password reset successfully! Please login with new password.' };
  });
}

/** `POST confirm-address` `{verification_code}`, and `POST resend-confirmation` for whoever is signed in. */
export function registerConfirmation(app: FastifyInstance, program: Program): void {
  const { database } = program;
  app.post('/confirm-address', async (request) => {
    const { verification_code } = readForm<Pick<Reset, 'verification_code'>>(codeAlone, request.body);
    await takeAttempt(database, resetLimits(request.ip));
    const done = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, verification_code, ['confirm']);
      return use !== undefined && (await confirmUser(program, trx, use.userId));
    });
    return done ? { status: true, message: 'Your e-mail address is confirmed. Thank you!' } : wrongCode;
  });

  app.post('/resend-confirmation', async (request) => {
    const { id } = await authenticate(program, request);
    await takeAttempt(database, askingLimits(`user ${id}`, request.ip));
    await database.transaction((trx) => wantMailOn(program, trx, 'confirm_address', { user_id: id }));
    return { status: true, message: 'Email sent successfully! Please check your mail box.' };
  });
}
