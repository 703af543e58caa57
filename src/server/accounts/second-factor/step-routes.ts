import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountById, type Account } from '../users/accounts';
import type { Transaction } from '../../database/database';
import { HttpError, Invalid } from '../../errors/errors';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { countAttempt, type Attempt, type AttemptLimit } from '../session/attempts';
import { finishSignIn } from '../session/finish-sign-in';
import { secondFactorCalls, type SecondStep } from './calls';
import { countTry, findChallenge, useChallenge, type Challenge } from './challenges';
import { recordFactorChange } from './changes';
import { issueFirstRecoveryCodes, type Factor } from './factors';
import { addPasskey, authenticationOptions, registrationOptions, usePasskey } from './passkeys';
import { useRecoveryCode } from './recovery-codes';
import { trustDevice } from './trusted-devices';
import { beginAuthenticator, confirmAuthenticator, useAuthenticator } from './totp';
import { firstOf, requireValue } from '../../../engine/values/lookups';

const minute = 60_000;
const kinds = ['verify', 'setup'] as const;
const expiredResponse = { status: false, message: 'This took too long. Please sign in again.', tries_left: 0 } as const;
const triesLeftTexts = ['no try is', 'one try is', 'two tries are', 'three tries are', 'four tries are'];

/**
 * `POST login/second-factor` and related routes: the second step of a sign-in whose first step succeeded, identified by
 * its challenge; users who must have a factor and have none set up their first one here. And `POST login/passkey`:
 * signing in with a passkey alone.
 */
export function registerSecondStep(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  const { database } = program;

  calls.post('/login/second-factor', secondFactorCalls.secondStep, async (request, reply) => {
    const step = request.body;
    const challenge = await findChallenge(database.kysely, step.challenge, kinds);
    const account = challenge && (await findAccountById(database.kysely, personOf(challenge)));
    if (!challenge || !account?.canSignIn) return expiredResponse;
    const proof = factorProofOf(step);
    const attempt = await countLimitedAttempt(account, () => countAttempt(database, secondStepLimits(account.id)));
    const left = await countTry(database.kysely, step.challenge);
    if (left === undefined) return expiredResponse;
    const attemptResult = challenge.kind === 'verify' ? verify(account, proof) : setUp(account, proof);
    const result = await attemptResult;
    if (!result) return wrongResponse(account, proof.factor, left);
    // Concurrent requests with the same response sign in only once.
    if (!(await useChallenge(database.kysely, step.challenge, kinds))) return expiredResponse;
    await attempt.takeBack();
    if (step.trust_device) await trustDevice(program, request, reply, account.id);
    const signInProof = { method: proof.factor, secondStep: 'done', first: challenge.first_method } as const;
    const signedIn = await finishSignIn(program, { request, reply }, account, signInProof);
    return { ...signedIn, ...(result.codes && { recovery_codes: result.codes }) };
  });

  calls.post('/login/second-factor/totp', secondFactorCalls.stepTotp, async (request) => {
    const account = await accountOf(request.body.challenge, 'setup');
    return account ? { data: await beginAuthenticator(program, account.id, account.email) } : expiredResponse;
  });

  calls.post('/login/second-factor/passkey', secondFactorCalls.stepPasskey, async (request) => {
    const { challenge } = request.body;
    const foundChallenge = await findChallenge(database.kysely, challenge, kinds);
    const account = foundChallenge && (await accountOf(challenge, foundChallenge.kind));
    if (!account) return expiredResponse;
    const isNew = foundChallenge.kind === 'setup';
    return { data: await (isNew ? registrationOptions(program, account) : authenticationOptions(program, account.id)) };
  });

  calls.post('/login/passkey/options', secondFactorCalls.passkeyOptions, async (request) => {
    await countAttempt(database, passkeyLimits(request.ip));
    return { data: await authenticationOptions(program, null) };
  });

  calls.post('/login/passkey', secondFactorCalls.passkeySignIn, async (request, reply) => {
    const answer = request.body.passkey;
    const attempt = await countAttempt(database, passkeyLimits(request.ip));
    const userId = await database.transaction((trx) => usePasskey(program, trx, null, answer));
    const account = userId === undefined ? undefined : await findAccountById(database.kysely, userId);
    if (!account?.canSignIn) {
      void recordSecurityEvent(program, {
        event: 'sign_in_failed',
        user_id: userId,
        site_id: account?.site_id,
        detail: { method: 'passkey' },
        key: `passkey ${request.ip}`,
      });
      return {
        status: false,
        message: 'This passkey does not belong to an active account here. Sign in with your password.',
      };
    }
    await attempt.takeBack();
    return finishSignIn(program, { request, reply }, account, { method: 'passkey', secondStep: 'done' });
  });

  async function accountOf(text: string, kind: Challenge['kind']): Promise<Account | undefined> {
    const challenge = await findChallenge(database.kysely, text, [kind]);
    const account = challenge && (await findAccountById(database.kysely, personOf(challenge)));
    return account?.canSignIn ? account : undefined;
  }

  async function verify(account: Account, proof: FactorProof): Promise<{ codes?: string[] } | undefined> {
    const isCorrect = await database.transaction(async (trx) => {
      if (proof.factor === 'totp') return useAuthenticator(program, trx, account.id, proof.code);
      if (proof.factor === 'passkey') return (await usePasskey(program, trx, account.id, proof.passkey)) !== undefined;
      return useCode(trx, account, proof.code);
    });
    return isCorrect ? {} : undefined;
  }

  async function useCode(trx: Transaction, account: Account, code: string): Promise<boolean> {
    const isCorrect = await useRecoveryCode(program, trx, account.id, code);
    if (isCorrect)
      await recordFactorChange(program, trx, {
        userId: account.id,
        siteId: account.site_id,
        change: 'recovery code used',
      });
    return isCorrect;
  }

  /** Adds the first factor and its recovery codes. */
  function setUp(account: Account, proof: FactorProof): Promise<{ codes?: string[] } | undefined> {
    return database.transaction(async (trx) => {
      if (proof.factor === 'recovery_code') return undefined;
      if (proof.factor === 'passkey') await addPasskey(program, trx, account.id, 'Passkey', proof.passkey);
      else if (!(await confirmAuthenticator(program, trx, account.id, proof.code))) return undefined;
      const change = proof.factor === 'passkey' ? 'passkey added' : 'authenticator added';
      await recordFactorChange(program, trx, { userId: account.id, siteId: account.site_id, change });
      return { codes: await issueFirstRecoveryCodes(program, trx, account.id) };
    });
  }

  function wrongResponse(account: Account, factor: Factor, left: number) {
    void recordSecurityEvent(program, {
      event: 'sign_in_failed',
      user_id: account.id,
      site_id: account.site_id,
      detail: { second_step: factor },
      key: `second step ${account.id}`,
    });
    const rest = left === 0 ? 'Please sign in again.' : `${triesLeftTexts[left]} left.`;
    const messages = {
      totp: `That code was not right. Codes change every 30 seconds; ${left === 0 ? 'please sign in again.' : rest}`,
      recovery_code: `That recovery code is wrong or was used before. ${firstOf(rest).toUpperCase()}${rest.slice(1)}`,
      passkey: 'This passkey was not accepted. Please try again, or use another method.',
    };
    return { status: false, message: messages[factor], tries_left: left };
  }

  /** Counts an attempt; exceeding the limit is logged. */
  async function countLimitedAttempt(account: Account, take: () => Promise<Attempt>): Promise<Attempt> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof HttpError) {
        void recordSecurityEvent(program, {
          event: 'limited',
          user_id: account.id,
          site_id: account.site_id,
          subject: 'second step',
          key: `limited second step ${account.id}`,
        });
      }
      throw error;
    }
  }
}

/** The user whose second step a challenge awaits. */
function personOf({ user_id: user }: Challenge): number {
  return requireValue(user, 'the person of a challenge');
}

/** A factor with what proves it. */
type FactorProof =
  | { readonly factor: 'passkey'; readonly passkey: NonNullable<SecondStep['passkey']> }
  | { readonly factor: 'totp' | 'recovery_code'; readonly code: string };

function factorProofOf({ code, recovery_code, passkey }: SecondStep): FactorProof {
  if (passkey) return { factor: 'passkey', passkey };
  if (code) return { factor: 'totp', code };
  if (recovery_code) return { factor: 'recovery_code', code: recovery_code };
  throw new Invalid({ code: 'Enter all six digits.' });
}

/** Per account, from all networks: somebody who knows the password cannot guess the digits. */
function secondStepLimits(userId: number): AttemptLimit[] {
  return [
    { key: `second step ${userId}`, times: 10, within: 15 * minute },
    { key: `second step of the day ${userId}`, times: 50, within: 24 * 60 * minute },
  ];
}

function passkeyLimits(address: string): AttemptLimit[] {
  return [{ key: `passkey ${address}`, times: 100, within: 15 * minute }];
}
