import type { FastifyRequest } from 'fastify';
import type { Account } from '../domain/accounts';
import type { Program } from '../program';
import { issueChallenge, secondsOf } from './challenges';
import { factorsOf, type Factor } from './factors';
import { mustHaveFactor } from '../domain/second-factor/requirement';
import { isTrusted } from './trusted-devices';

/**
 * The answer of a sign-in that is not finished: the status is false and there is no token, so that a client that knows
 * nothing of second steps shows the message.
 */
export interface SecondStep {
  readonly status: false;
  readonly message: string;
  readonly second_factor: {
    /** Sent back with the second step. */
    readonly challenge: string;
    /** Whether a factor is to be used, or the first one to be set up because one is required. */
    readonly kind: 'verify' | 'setup';
    readonly methods: readonly Factor[];
    /** Seconds for which the challenge is good. */
    readonly expires_in: number;
  };
}

/** What somebody whose first step (`first`: by what method) was good has to do yet; undefined where that was all. */
export async function secondStepOf(
  program: Program,
  request: FastifyRequest,
  account: Account,
  first: string,
): Promise<SecondStep | undefined> {
  const { kysely } = program.database;
  const factors = await factorsOf(kysely, account.id);
  if (factors.length > 0) {
    if (await isTrusted(program, request, account.id)) return undefined;
    return stepWith(
      'verify',
      factors,
      'A second step is needed to sign in: a code of your authenticator, a passkey or a recovery code.',
    );
  }
  if (!(await mustHaveFactor(kysely, account.id))) return undefined;
  return stepWith(
    'setup',
    ['totp', 'passkey'],
    'A second factor is required of you: set it up in the browser to sign in.',
  );

  async function stepWith(kind: 'verify' | 'setup', methods: readonly Factor[], message: string): Promise<SecondStep> {
    const challenge = await issueChallenge(kysely, kind, account.id, first);
    return { status: false, message, second_factor: { challenge, kind, methods, expires_in: secondsOf(kind) } };
  }
}
