import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountOfUser, type Account } from '../domain/accounts';
import { Conflict, Invalid, NotFound, Unauthenticated } from '../errors/errors';
import type { Program } from '../program';
import { takeAttempt } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { readForm } from '../session/forms';
import { assertRecentProof } from '../session/proof';
import { calls, codeForm, nameForm } from './calls';
import { tellOfChange, type FactorChange } from '../domain/second-factor/changes';
import { factorsOf, firstRecoveryCodes, tidyFactors } from './factors';
import { addPasskey, dropPasskeys, passkeysOf, readPasskey, registrationOptions, renamePasskey } from './passkeys';
import { issueRecoveryCodes, recoveryCodesLeft } from './recovery-codes';
import { mustHaveFactor, requirementOf } from '../domain/second-factor/requirement';
import { authenticatorSince, beginAuthenticator, confirmAuthenticator, dropAuthenticator } from './totp';
import type { Transaction } from '../database/database';

type ById = { Params: { id: string } };
const minute = 60_000;
const required = 'You must have a second factor: add another one before you remove the last one.';

/**
 * The caller's second factor: authenticator app, recovery codes and passkeys. Changes require a recent identity
 * confirmation.
 */
export function registerOwnFactors(app: FastifyInstance, program: Program): void {
  const { database } = program;

  app.get('/me/second-factor', calls.own, async (request) => {
    const { actor } = await accessOf(program, request);
    const { kysely } = database;
    const [since, left, passkeys, requirement] = await Promise.all([
      authenticatorSince(kysely, actor.id),
      recoveryCodesLeft(kysely, actor.id),
      passkeysOf(kysely, actor.id),
      requirementOf(kysely, actor.id),
    ]);
    return { data: { authenticator_since: since, recovery_codes_left: left, passkeys, required: requirement ?? null } };
  });

  app.post('/me/second-factor/totp', calls.beginTotp, async (request) => {
    const account = await proven(request);
    return { data: await beginAuthenticator(program, account.id, account.email) };
  });

  app.post('/me/second-factor/totp/confirm', calls.confirmTotp, async (request) => {
    const account = await proven(request);
    const { code } = readForm<{ code: string }>(codeForm, request.body);
    const attempt = await takeAttempt(database, [
      { key: `authenticator ${account.id}`, times: 20, within: 15 * minute },
    ]);
    const codes = await database.transaction(async (trx) => {
      if (!(await confirmAuthenticator(program, trx, account.id, code))) {
        throw new Invalid({ code: 'This code is wrong. Enter the digits that your authenticator app shows now.' });
      }
      await tell(trx, account, 'authenticator added');
      return firstRecoveryCodes(program, trx, account.id);
    });
    await attempt.giveBack();
    return { data: { recovery_codes: codes ?? null } };
  });

  app.delete('/me/second-factor/totp', calls.removeTotp, async (request) => {
    const account = await proven(request);
    await database.transaction(async (trx) => {
      if (!(await dropAuthenticator(trx, account.id))) throw new NotFound();
      await mustKeepOne(trx, account);
      await tidyFactors(trx, account.id);
      await tell(trx, account, 'authenticator removed');
    });
    return { data: null };
  });

  app.post('/me/recovery-codes', calls.recoveryCodes, async (request) => {
    const account = await proven(request);
    const codes = await database.transaction(async (trx) => {
      if ((await factorsOf(trx, account.id)).length === 0) {
        throw new Conflict('Recovery codes need a second factor: set one up first.');
      }
      await tell(trx, account, 'recovery codes made');
      return issueRecoveryCodes(program, trx, account.id);
    });
    return { data: { recovery_codes: codes } };
  });

  app.post('/me/passkeys/options', calls.passkeyOptionsOfOwn, async (request) => ({
    data: await registrationOptions(program, await proven(request)),
  }));

  app.post('/me/passkeys', calls.addPasskey, async (request, reply) => {
    const account = await proven(request);
    const { passkey, ...rest } = (request.body ?? {}) as Record<string, unknown>;
    const { name } = readForm<{ name: string }>(nameForm, rest);
    const added = await database.transaction(async (trx) => {
      const kept = await addPasskey(program, trx, account.id, name, readPasskey(passkey));
      await tell(trx, account, 'passkey added');
      return { ...kept, recovery_codes: (await firstRecoveryCodes(program, trx, account.id)) ?? null };
    });
    return reply.code(201).send({ data: added });
  });

  app.put<ById>('/me/passkeys/:id', calls.renamePasskey, async (request) => {
    const account = await proven(request);
    const { name } = readForm<{ name: string }>(nameForm, request.body);
    const renamed = await database.transaction((trx) => renamePasskey(trx, account.id, idOf(request), name));
    if (!renamed) throw new NotFound();
    return { data: renamed };
  });

  app.delete<ById>('/me/passkeys/:id', calls.removePasskey, async (request) => {
    const account = await proven(request);
    const removed = await database.transaction(async (trx) => {
      const [gone] = await dropPasskeys(trx, account.id, idOf(request));
      if (!gone) throw new NotFound();
      await mustKeepOne(trx, account);
      await tidyFactors(trx, account.id);
      await tell(trx, account, 'passkey removed');
      return gone;
    });
    return { data: removed };
  });

  /** The caller's account. Throws Refused unless the identity was confirmed recently. */
  async function proven(request: FastifyRequest): Promise<Account> {
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const account = await accountOfUser(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    return account;
  }

  function tell(trx: Transaction, { id, site_id }: Account, change: FactorChange['change']): Promise<void> {
    return tellOfChange(program, trx, { userId: id, siteId: site_id, change });
  }
}

/** A user who must have a second factor cannot remove the last one. */
async function mustKeepOne(trx: Transaction, { id }: Account): Promise<void> {
  if ((await factorsOf(trx, id)).length === 0 && (await mustHaveFactor(trx, id))) throw new Conflict(required);
}

function idOf({ params }: FastifyRequest<ById>): number {
  return /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0;
}
