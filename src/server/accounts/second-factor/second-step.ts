import type { FastifyRequest } from 'fastify';
import type { Account } from '../users/accounts';
import type { Program } from '../../program';
import { issueChallenge, challengeSeconds } from './challenges';
import { factorsOf, type Factor } from './factors';
import { mustHaveFactor } from './requirement';
import { isTrustedDevice } from './trusted-devices';

/**
 * The response of an unfinished sign-in: the status is false and there is no token, so that clients without support for
 * second steps show the message.
 */
export interface SecondStep {
  readonly status: false;
  readonly message: string;
  readonly second_factor: {
    /** Sent back with the second step. */
    readonly challenge: string;
    /** Use a factor, or set up the first one because one is required. */
    readonly kind: 'verify' | 'setup';
    readonly methods: readonly Factor[];
    /** The lifetime of the challenge in seconds. */
    readonly expires_in: number;
  };
}

/** The second step after a successful first step (`first`: its method); undefined if none is needed. */
export async function requiredSecondStep(
  program: Program,
  request: FastifyRequest,
  account: Account,
  first: string,
): Promise<SecondStep | undefined> {
  const { kysely } = program.database;
  const factors = await factorsOf(kysely, account.id);
  if (factors.length > 0) {
    if (await isTrustedDevice(program, request, account.id)) return undefined;
    return stepWith(
      'verify',
      factors,
      'A second step is needed to sign in: a code from your authenticator app, a passkey or a recovery code.',
    );
  }
  if (!(await mustHaveFactor(kysely, account.id))) return undefined;
  return stepWith('setup', ['totp', 'passkey'], 'You must set up a second factor: sign in with a browser to do so.');

  async function stepWith(kind: 'verify' | 'setup', methods: readonly Factor[], message: string): Promise<SecondStep> {
    const challenge = await issueChallenge(kysely, kind, account.id, first);
    return { status: false, message, second_factor: { challenge, kind, methods, expires_in: challengeSeconds(kind) } };
  }
}
