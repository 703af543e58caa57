import type { FastifyInstance } from 'fastify';
import { accountOfUser, type Account } from '../domain/accounts';
import { confirmUser, setPassword } from '../domain/code-uses';
import { hasConfirmed } from '../domain/confirmed-addresses';
import { wantMailOn } from '../domain/mails';
import { closedFor, closedWords } from '../domain/single-sign-on/closed';
import { Invalid } from '../errors/errors';
import type { Program } from '../program';
import { askingLimits, giveNetworkBack, resetLimits, takeAttempt } from './attempts';
import { accessOf } from './authenticate';
import { calls, codeForm, resetForm } from './calls';
import { hashChosen } from './choose-password';
import { findCode, redeemCode, type FoundCode } from './codes';
import { readForm } from './forms';
import { forgive } from './sign-in-guard';

interface Reset {
  readonly verification_code: string;
  readonly new_password: string;
  readonly confirm_password: string;
}

const wrongCode = {
  status: false,
  message: 'This code is wrong, was used already or has run out. Please ask for a new one.',
} as const;

/** What is said of a code that sets no password, to whoever follows an invitation or a link to reset one. */
const expired = {
  setup: 'This invitation has run out. Ask whoever invited you to send it again.',
  reset: 'This link has run out: it was good for one hour. Ask for a new one by “Forgot Password?”.',
} as const;
const unknown = {
  setup:
    'This invitation was used already, was replaced by a newer one, or its code is wrong. Sign in if you have chosen a password; else ask whoever invited you to send it again.',
  reset:
    'This code is wrong, was used already or was replaced by a newer one. Ask for a new one by “Forgot Password?”.',
} as const;

const confirmedAlready = { status: false, message: 'Your e-mail address is confirmed already.' } as const;

/** `POST reset-password`: a new password, or the first one of an invited account. What it is follows from the code. */
export function registerResetPassword(app: FastifyInstance, program: Program): void {
  const { database } = program;
  app.post('/reset-password', calls.resetPassword, async (request) => {
    const sent = readForm<Reset>(resetForm, request.body);
    if (sent.new_password !== sent.confirm_password) {
      throw new Invalid({ confirm_password: 'The two passwords do not match.' });
    }
    const attempt = await takeAttempt(database, resetLimits(request.ip));
    // Whose code it is tells what they would be guessed by; where it is nobody's, the same work is done.
    const found = await findCode(database.kysely, sent.verification_code);
    const owner = found && (await accountOfUser(database.kysely, found.userId));
    const closed = owner && (await closedFor(program, owner));
    if (closed) return { status: false, message: closedWords(closed) };
    const hash = await hashChosen(program, 'new_password', sent.new_password, personalOf(owner));
    const done = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, sent.verification_code, ['reset', 'setup']);
      const email = use && (await setPassword(program, trx, use, hash));
      if (email === undefined) return false;
      await forgive(trx, email, request.ip);
      await giveNetworkBack(trx, 'asking', request.ip);
      return true;
    });
    if (!done) return { status: false, message: refused(request.body, found) };
    await attempt.giveBack();
    return { status: true, message: 'Password reset successfully! Please login with new password.' };
  });
}

/**
 * `POST code-owner` `{verification_code}`: whose password a code sets, for whoever is signed in as somebody else while they
 * follow a link. Guesses count as those of `reset-password`.
 */
export function registerCodeOwner(app: FastifyInstance, { database }: Program): void {
  app.post('/code-owner', calls.codeOwner, async (request) => {
    const { verification_code } = readForm<Pick<Reset, 'verification_code'>>(codeForm, request.body);
    const attempt = await takeAttempt(database, resetLimits(request.ip));
    const found = await findCode(database.kysely, verification_code);
    const sets = found && !found.hasExpired && (found.purpose === 'reset' || found.purpose === 'setup');
    const owner = sets ? await accountOfUser(database.kysely, found.userId) : undefined;
    if (!owner) return { data: null };
    await attempt.giveBack();
    return { data: { name: `${owner.first_name} ${owner.last_name}`, email: owner.email } };
  });
}

/** `POST confirm-address` `{verification_code}`, and `POST resend-confirmation` for whoever is signed in. */
export function registerConfirmation(app: FastifyInstance, program: Program): void {
  const { database } = program;
  app.post('/confirm-address', calls.confirmAddress, async (request) => {
    const { verification_code } = readForm<Pick<Reset, 'verification_code'>>(codeForm, request.body);
    const attempt = await takeAttempt(database, resetLimits(request.ip));
    const done = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, verification_code, ['confirm', 'address']);
      if (use === undefined || !(await confirmUser(program, trx, use))) return false;
      if (use.purpose === 'confirm') await giveNetworkBack(trx, 'registration', request.ip);
      return true;
    });
    if (done) await attempt.giveBack();
    return done ? { status: true, message: 'Your e-mail address is confirmed. Thank you!' } : wrongCode;
  });

  app.post('/resend-confirmation', calls.resendConfirmation, async (request) => {
    const { id } = (await accessOf(program, request)).actor;
    if (await hasConfirmed(database.kysely, id)) return confirmedAlready;
    await takeAttempt(database, askingLimits(`user ${id}`, request.ip));
    await database.transaction((trx) => wantMailOn(program, trx, 'confirm_address', { user_id: id }));
    return { status: true, message: 'Email sent successfully! Please check your mail box.' };
  });
}

/** Why no password was set, and what to do: what the code was for is known by the code itself or, without one, by the page. */
function refused(body: unknown, found: FoundCode | undefined): string {
  if (found?.hasExpired && (found.purpose === 'setup' || found.purpose === 'reset')) return expired[found.purpose];
  const { setup_account } = (body ?? {}) as { setup_account?: unknown };
  return unknown[setup_account ? 'setup' : 'reset'];
}

function personalOf(account: Account | undefined): string[] {
  return account ? [account.first_name, account.last_name, account.email, account.site_name ?? ''] : [];
}
