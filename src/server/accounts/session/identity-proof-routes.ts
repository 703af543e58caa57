import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountById, type Account } from '../users/accounts';
import { requiredProviderFor, localSignInDisabledMessage } from '../single-sign-on/required-provider';
import { Invalid, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { factorsOf } from '../second-factor/factors';
import { authenticationOptions, usePasskey } from '../second-factor/passkeys';
import { useAuthenticator } from '../second-factor/totp';
import { clearAccessCache, type SignedIn } from './access-cache';
import { countAttempt, proofLimits } from './attempts';
import { providerOfUser } from '../single-sign-on/identities';
import { accessOf } from './authenticate';
import { sessionCalls, type Credentials } from './calls';
import type { Verifier } from '../../secrets/passwords';
import { proofLifetime, provenUntil } from './identity-proof';
import { recordSignInProof } from './sign-ins';

interface ProofState {
  /** Until when protected settings may be changed; null: identity must be confirmed first. */
  readonly proven_until: string | null;
  /** How the user can confirm their identity. */
  readonly methods: readonly string[];
  /** The provider of the method `single_sign_on`. */
  readonly provider: string | null;
}

/** `GET me/proof`, `POST me/proof`: the proof of identity that changes of credentials and permissions need. */
export function registerIdentityProof(app: FastifyInstance, program: Program, verify: Verifier): void {
  const { database } = program;

  app.get('/me/proof', sessionCalls.proof, async (request): Promise<{ data: ProofState }> => {
    const { actor } = await accessOf(program, request);
    const account = await findAccountById(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const proofEnd = provenUntil(actor);
    return {
      data: {
        proven_until: proofEnd ? new Date(proofEnd).toISOString() : null,
        ...(await proofMethods(account)),
      },
    };
  });

  app.post('/me/proof/passkey', sessionCalls.provePasskey, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: await authenticationOptions(program, actor.id) };
  });

  typedApi(app).post('/me/proof', sessionCalls.prove, async (request): Promise<{ data: ProofState }> => {
    const access = await accessOf(program, request);
    const attempt = await countAttempt(database, proofLimits(access.actor.id));
    const account = await findAccountById(database.kysely, access.actor.id);
    if (!account) throw new Unauthenticated();
    await assertCredentials(account, request.body);
    await attempt.takeBack();
    await storeProof(program, access);
    const proofEnd = new Date(Date.now() + proofLifetime).toISOString();
    return { data: { proven_until: proofEnd, ...(await proofMethods(account)) } };
  });

  /** Throws Invalid if the given credentials are wrong. */
  async function assertCredentials(account: Account, { password, code, passkey }: Credentials): Promise<void> {
    if (passkey) {
      const owner = await database.transaction((trx) => usePasskey(program, trx, account.id, passkey));
      if (owner === undefined) throw new Invalid({ passkey: 'This passkey was not accepted.' });
    } else if (code) {
      const isCorrect = await database.transaction((trx) => useAuthenticator(program, trx, account.id, code));
      if (!isCorrect) throw new Invalid({ code: 'This code is wrong or was already used. Wait for the next one.' });
    } else if (!password) throw new Invalid({ password: 'Password is required.' });
    else {
      const requiredProvider = await requiredProviderFor(program, account);
      if (requiredProvider) throw new Invalid({ password: localSignInDisabledMessage(requiredProvider) });
      if (!(await verify(account.password, password))) throw new Invalid({ password: 'This is not your password.' });
    }
  }

  async function proofMethods(account: Account): Promise<Pick<ProofState, 'methods' | 'provider'>> {
    const factors = await factorsOf(database.kysely, account.id);
    const provider = await providerOfUser(program, account);
    const hasPassword = account.password !== null && !(await requiredProviderFor(program, account));
    const methods = [
      hasPassword && 'password',
      ...factors.filter((factor) => factor !== 'recovery_code'),
      provider && 'single_sign_on',
    ];
    return { methods: methods.filter((method) => typeof method === 'string'), provider: provider?.name ?? null };
  }
}

/** Records for all servers that the user of a sign-in has just proved their identity. */
export async function storeProof({ database }: Program, { signInId }: SignedIn): Promise<void> {
  await database.transaction(async (trx) => {
    await recordSignInProof(trx, signInId);
    await clearAccessCache(database, trx);
  });
}
