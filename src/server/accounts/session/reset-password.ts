import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountById, type Account } from '../users/accounts';
import { confirmAddressByCode, setPasswordByCode } from '../users/code-redemption';
import { hasConfirmedAddress, confirmedOwnerOf } from '../users/confirmed-addresses';
import { queueOccasionMail } from '../mails/mails';
import { requiredProviderFor, localSignInDisabledMessage } from '../single-sign-on/required-provider';
import { Invalid } from '../../errors/errors';
import type { Program } from '../../program';
import { codeRequestLimits, takeBackNetworkAttempt, resetLimits, countAttempt } from './attempts';
import { accessOf } from './authenticate';
import { sessionCalls } from './calls';
import { hashNewPassword } from '../../secrets/new-password';
import { findCode, redeemCode, type FoundCode } from './codes';
import { resetFailures } from './sign-in-guard';

const wrongCodeResponse = {
  status: false,
  message: 'This code is wrong, has expired or was already used. Please request a new one.',
} as const;

/** Messages for expired codes, from an invitation or a reset link. */
const expiredMessages = {
  setup: 'This invitation has expired. Ask the person who invited you to send it again.',
  reset: 'This link has expired: it was valid for one hour. Request a new one with “Forgot Password?”.',
} as const;
const unknownMessages = {
  setup:
    'This invitation was already used, was replaced by a newer one, or its code is wrong. Sign in if you have chosen a password; otherwise ask the person who invited you to send it again.',
  reset:
    'This code is wrong, was already used or was replaced by a newer one. Request a new one with “Forgot Password?”.',
} as const;

const alreadyConfirmedResponse = { status: false, message: 'Your email address is already confirmed.' } as const;

/** `POST reset-password`: sets a new password, or the first one of an invited account, depending on the code. */
export function registerResetPassword(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/reset-password', sessionCalls.resetPassword, async (request) => {
    const form = request.body;
    if (form.new_password !== form.confirm_password) {
      throw new Invalid({ confirm_password: 'The two passwords do not match.' });
    }
    const attempt = await countAttempt(database, resetLimits(request.ip));
    // The code's owner determines which personal data to check against; for a wrong code, the same work is done.
    const foundCode = await findCode(database.kysely, form.verification_code);
    const owner = foundCode && (await findAccountById(database.kysely, foundCode.userId));
    const requiredProvider = owner && (await requiredProviderFor(program, owner));
    if (requiredProvider) return { status: false, message: localSignInDisabledMessage(requiredProvider) };
    if (
      owner &&
      foundCode.purpose === 'setup' &&
      (await confirmedOwnerOf(database.kysely, owner.email, owner.id)) !== undefined
    )
      return { status: false, message: belongsToAnotherMessage(owner) };
    const hash = await hashNewPassword(program, 'new_password', form.new_password, personalDataOf(owner));
    const isReset = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, form.verification_code, ['reset', 'setup']);
      const email = use && (await setPasswordByCode(program, trx, use, hash));
      if (email === undefined) return false;
      await resetFailures(trx, email, request.ip);
      await takeBackNetworkAttempt(trx, 'asking', request.ip);
      return true;
    });
    if (!isReset) return { status: false, message: failureMessage(form.setup_account, foundCode) };
    await attempt.takeBack();
    return { status: true, message: 'Password reset successfully! Please login with new password.' };
  });
}

/**
 * `POST code-owner` `{verification_code}`: the user whose password a code sets, for somebody who follows a link while
 * signed in as another user. Guesses count as those of `reset-password`.
 */
export function registerCodeOwner(app: FastifyInstance, { database }: Program): void {
  typedApi(app).post('/code-owner', sessionCalls.codeOwner, async (request) => {
    const { verification_code } = request.body;
    const attempt = await countAttempt(database, resetLimits(request.ip));
    const foundCode = await findCode(database.kysely, verification_code);
    const sets = foundCode && !foundCode.hasExpired && (foundCode.purpose === 'reset' || foundCode.purpose === 'setup');
    const owner = sets ? await findAccountById(database.kysely, foundCode.userId) : undefined;
    if (!owner) return { data: null };
    await attempt.takeBack();
    return { data: { name: `${owner.first_name} ${owner.last_name}`, email: owner.email } };
  });
}

/** `POST confirm-address` `{verification_code}`, and `POST resend-confirmation` for signed-in users. */
export function registerConfirmation(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/confirm-address', sessionCalls.confirmAddress, async (request) => {
    const { verification_code } = request.body;
    const attempt = await countAttempt(database, resetLimits(request.ip));
    const isReset = await database.transaction(async (trx) => {
      const use = await redeemCode(trx, verification_code, ['confirm', 'address']);
      if (use === undefined || !(await confirmAddressByCode(program, trx, use))) return false;
      if (use.purpose === 'confirm') await takeBackNetworkAttempt(trx, 'registration', request.ip);
      return true;
    });
    if (isReset) await attempt.takeBack();
    return isReset ? { status: true, message: 'Your email address is confirmed. Thank you!' } : wrongCodeResponse;
  });

  typedApi(app).post('/resend-confirmation', sessionCalls.resendConfirmation, async (request) => {
    const { id } = (await accessOf(program, request)).actor;
    if (await hasConfirmedAddress(database.kysely, id)) return alreadyConfirmedResponse;
    await countAttempt(database, codeRequestLimits(`user ${id}`, request.ip));
    await database.transaction((trx) => queueOccasionMail(program, trx, 'confirm_address', { user_id: id }));
    return { status: true, message: 'Email sent successfully! Please check your mail box.' };
  });
}

/** Of two companies that invite an address, the first one that its owner accepts has it. */
function belongsToAnotherMessage({ email, site_name }: Account): string {
  return `${email} already has an account in another company, so the invitation of ${site_name ?? 'this company'} cannot be accepted with it. Sign in with that account, or ask ${site_name ?? 'them'} to invite you at another address.`;
}

/**
 * Why no password was set, and what to do. The purpose is known from the code or, if the code is wrong, from the page.
 */
function failureMessage(setUp: unknown, foundCode: FoundCode | undefined): string {
  if (foundCode?.hasExpired && (foundCode.purpose === 'setup' || foundCode.purpose === 'reset'))
    return expiredMessages[foundCode.purpose];
  return unknownMessages[setUp ? 'setup' : 'reset'];
}

function personalDataOf(account: Account | undefined): string[] {
  return account ? [account.first_name, account.last_name, account.email, account.site_name ?? ''] : [];
}
