import type { FastifyInstance } from 'fastify';
import { accountOfUser } from '../domain/accounts';
import { Invalid, Unauthenticated } from '../errors/errors';
import type { Program } from '../program';
import { forgetAccess, type Access } from './access-cache';
import { takeAttempt, type Limit } from './attempts';
import { accessOf } from './authenticate';
import { calls, proofForm } from './calls';
import { readForm } from './forms';
import type { Verifier } from './passwords';
import { proofLifetime, provenUntil } from './proof';
import { proveSignIn } from './sign-ins';

interface Proof {
  /** Until when what asks for a proof may be changed; null: a proof is needed first. */
  readonly proven_until: string | null;
  /** How the person can prove who they are. */
  readonly methods: readonly string[];
}

const minute = 60_000;

/** `GET me/proof`, `POST me/proof`: proving once more who one is, before what opens doors is changed. */
export function registerProof(app: FastifyInstance, program: Program, verify: Verifier): void {
  const { database } = program;

  app.get('/me/proof', calls.proof, async (request): Promise<{ data: Proof }> => {
    const { actor } = await accessOf(program, request);
    const account = await accountOfUser(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const until = provenUntil(actor);
    return { data: { proven_until: until ? new Date(until).toISOString() : null, methods: methodsOf(account) } };
  });

  app.post('/me/proof', calls.prove, async (request): Promise<{ data: Proof }> => {
    const access = await accessOf(program, request);
    const { password } = readForm<{ password: string }>(proofForm, request.body);
    const attempt = await takeAttempt(database, proofLimits(access.actor.id));
    const account = await accountOfUser(database.kysely, access.actor.id);
    if (!account) throw new Unauthenticated();
    if (!(await verify(account.password, password))) throw new Invalid({ password: 'This is not your password.' });
    await attempt.giveBack();
    await keepProof(program, access);
    return { data: { proven_until: new Date(Date.now() + proofLifetime).toISOString(), methods: methodsOf(account) } };
  });
}

function methodsOf({ password }: { readonly password: string | null }): string[] {
  return password === null ? [] : ['password'];
}

/** Keeps that the person of a sign-in proved who they are just now, for all servers. */
async function keepProof({ database }: Program, { signInId }: Access): Promise<void> {
  await database.transaction(async (trx) => {
    await proveSignIn(trx, signInId);
    await forgetAccess(database, trx);
  });
}

/** Whoever holds a stolen token gets no further by guessing. */
function proofLimits(userId: number): Limit[] {
  return [{ key: `proof ${userId}`, times: 10, within: 15 * minute }];
}
