import type { FastifyInstance } from 'fastify';
import { accountOfUser, type Account } from '../domain/accounts';
import { closedFor, closedWords } from '../domain/single-sign-on/closed';
import { Invalid, Unauthenticated } from '../errors/errors';
import type { Program } from '../program';
import { factorsOf } from '../second-factor/factors';
import { authenticationOptions, readPasskey, usePasskey } from '../second-factor/passkeys';
import { useAuthenticator } from '../second-factor/totp';
import { forgetAccess, type Access } from './access-cache';
import { takeAttempt, type Limit } from './attempts';
import { providerOfUser } from '../single-sign-on/identities';
import { accessOf } from './authenticate';
import { calls, proofForm } from './calls';
import { readForm } from './forms';
import type { Verifier } from './passwords';
import { proofLifetime, provenUntil } from './proof';
import { proveSignIn } from './sign-ins';

/** One of them is set. */
interface Given {
  readonly password?: string | null;
  readonly code?: string | null;
  readonly passkey?: unknown;
}

interface Proof {
  /** Until when protected settings may be changed; null: identity must be confirmed first. */
  readonly proven_until: string | null;
  /** How the user can confirm their identity. */
  readonly methods: readonly string[];
  /** The provider of the method `single_sign_on`. */
  readonly provider: string | null;
}

const minute = 60_000;

/** `GET me/proof`, `POST me/proof`: confirming your identity again before changing credentials or permissions. */
export function registerProof(app: FastifyInstance, program: Program, verify: Verifier): void {
  const { database } = program;

  app.get('/me/proof', calls.proof, async (request): Promise<{ data: Proof }> => {
    const { actor } = await accessOf(program, request);
    const account = await accountOfUser(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const until = provenUntil(actor);
    return { data: { proven_until: until ? new Date(until).toISOString() : null, ...(await waysOf(account)) } };
  });

  app.post('/me/proof/passkey', calls.provePasskey, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: await authenticationOptions(program, actor.id) };
  });

  app.post('/me/proof', calls.prove, async (request): Promise<{ data: Proof }> => {
    const access = await accessOf(program, request);
    const { passkey, ...rest } = (request.body ?? {}) as Record<string, unknown>;
    const given = { ...readForm<Given>(proofForm, rest), passkey };
    const attempt = await takeAttempt(database, proofLimits(access.actor.id));
    const account = await accountOfUser(database.kysely, access.actor.id);
    if (!account) throw new Unauthenticated();
    await mustProve(account, given);
    await attempt.giveBack();
    await keepProof(program, access);
    const until = new Date(Date.now() + proofLifetime).toISOString();
    return { data: { proven_until: until, ...(await waysOf(account)) } };
  });

  /** Throws Invalid if the given credentials are wrong. */
  async function mustProve(account: Account, { password, code, passkey }: Given): Promise<void> {
    if (passkey !== undefined && passkey !== null) {
      const answer = readPasskey(passkey);
      const owner = await database.transaction((trx) => usePasskey(program, trx, account.id, answer));
      if (owner === undefined) throw new Invalid({ passkey: 'This passkey was not accepted.' });
    } else if (code) {
      const good = await database.transaction((trx) => useAuthenticator(program, trx, account.id, code));
      if (!good) throw new Invalid({ code: 'This code is wrong or was already used. Wait for the next one.' });
    } else if (!password) throw new Invalid({ password: 'Password is required.' });
    else {
      const closed = await closedFor(program, account);
      if (closed) throw new Invalid({ password: closedWords(closed) });
      if (!(await verify(account.password, password))) throw new Invalid({ password: 'This is not your password.' });
    }
  }

  async function waysOf(account: Account): Promise<Pick<Proof, 'methods' | 'provider'>> {
    const factors = await factorsOf(database.kysely, account.id);
    const provider = await providerOfUser(program, account);
    const hasPassword = account.password !== null && !(await closedFor(program, account));
    const methods = [
      hasPassword && 'password',
      ...factors.filter((factor) => factor !== 'recovery_code'),
      provider && 'single_sign_on',
    ];
    return { methods: methods.filter((one) => typeof one === 'string'), provider: provider?.name ?? null };
  }
}

/** Records that the user of a sign-in has just confirmed their identity, for all servers. */
export async function keepProof({ database }: Program, { signInId }: Access): Promise<void> {
  await database.transaction(async (trx) => {
    await proveSignIn(trx, signInId);
    await forgetAccess(database, trx);
  });
}

/** Somebody with a stolen token cannot guess the password. */
function proofLimits(userId: number): Limit[] {
  return [{ key: `proof ${userId}`, times: 10, within: 15 * minute }];
}
