import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountById } from '../users/accounts';
import { Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { clearAccessCache } from './access-cache';
import { sessionCalls } from './calls';
import type { Renewable } from './finish-sign-in';
import { clearRenewalCookie, setRenewalCookie, assertSameSite, readRenewalCookie } from './renewal-cookie';
import { renewSignIn, type Renewal } from './renew-sign-in';
import { endSignIn, tokenLifetime } from './sign-ins';

/** The response of a renewal. */
interface RenewalResponse extends Renewable {
  readonly token: string;
  readonly token_type: 'Bearer';
}

/**
 * `POST session/renew` `{sign_in_id}`: the next token of a browser's sign-in, in exchange for its cookie. A cookie that
 * was already exchanged ends the sign-in: it has been stolen.
 */
export function registerRenewal(app: FastifyInstance, program: Program): void {
  const { database, settings, log } = program;
  typedApi(app).post('/session/renew', sessionCalls.renew, async (request, reply): Promise<RenewalResponse> => {
    assertSameSite(request, settings);
    const { sign_in_id } = request.body;
    const secret = readRenewalCookie(request, settings);
    const renewal = secret === undefined ? endedRenewal : await renew(secret, sign_in_id);
    if (renewal.kind !== 'renewed') {
      clearRenewalCookie(request, reply, settings);
      throw new Unauthenticated();
    }
    if (renewal.renewal !== undefined) setRenewalCookie(request, reply, settings, renewal.renewal);
    return { token: renewal.token, token_type: 'Bearer', sign_in_id, expires_in: tokenLifetime / 1000 };
  });

  function renew(secret: string, signInId: number): Promise<Renewal> {
    return database.transaction(async (trx) => {
      const renewal = await renewSignIn(trx, secret, signInId);
      if (renewal.kind === 'replayed') {
        log.warn({ user: renewal.userId }, 'A sign-in was ended: the secret that renews it was used twice');
        await clearAccessCache(database, trx);
      }
      if (renewal.kind !== 'renewed') return renewal;
      const account = await findAccountById(trx, renewal.userId);
      if (account?.canSignIn) return renewal;
      await endSignIn(trx, renewal.userId, renewal.signInId);
      return endedRenewal;
    });
  }
}

const endedRenewal: Renewal = { kind: 'ended' };
