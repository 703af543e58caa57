import { typedApi } from '../../routing/define-call';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findAccountById, type Account } from '../users/accounts';
import { Conflict, Invalid, NotFound, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { countAttempt } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { assertRecentProof } from '../session/identity-proof';
import { secondFactorCalls } from './calls';
import { recordFactorChange, type FactorChange } from './changes';
import { factorsOf, issueFirstRecoveryCodes, cleanUpFactors } from './factors';
import { addPasskey, deletePasskeys, passkeysOf, registrationOptions, renamePasskey } from './passkeys';
import { issueRecoveryCodes, recoveryCodesLeft } from './recovery-codes';
import { mustHaveFactor, loadFactorRequirement } from './requirement';
import { authenticatorSince, beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './totp';
import type { Transaction } from '../../database/database';

const minute = 60_000;
const requiredMessage = 'You must have a second factor: add another one before you remove the last one.';

/**
 * The caller's second factor: authenticator app, recovery codes and passkeys. Changes require a recent
 * proof of identity.
 */
export function registerOwnFactors(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  const { database } = program;

  calls.get('/me/second-factor', secondFactorCalls.own, async (request) => {
    const { actor } = await accessOf(program, request);
    const { kysely } = database;
    const [authenticatorDate, left, passkeys, requirement] = await Promise.all([
      authenticatorSince(kysely, actor.id),
      recoveryCodesLeft(kysely, actor.id),
      passkeysOf(kysely, actor.id),
      loadFactorRequirement(kysely, actor.id),
    ]);
    return {
      data: {
        authenticator_since: authenticatorDate,
        recovery_codes_left: left,
        passkeys,
        required: requirement ?? null,
      },
    };
  });

  calls.post('/me/second-factor/totp', secondFactorCalls.beginTotp, async (request) => {
    const account = await confirmedAccount(request);
    return { data: await beginAuthenticator(program, account.id, account.email) };
  });

  calls.post('/me/second-factor/totp/confirm', secondFactorCalls.confirmTotp, async (request) => {
    const account = await confirmedAccount(request);
    const { code } = request.body;
    const attempt = await countAttempt(database, [
      { key: `authenticator ${account.id}`, times: 20, within: 15 * minute },
    ]);
    const codes = await database.transaction(async (trx) => {
      if (!(await confirmAuthenticator(program, trx, account.id, code))) {
        throw new Invalid({ code: 'This code is wrong. Enter the digits that your authenticator app shows now.' });
      }
      await notifyOfChange(trx, account, 'authenticator added');
      return issueFirstRecoveryCodes(program, trx, account.id);
    });
    await attempt.takeBack();
    return { data: { recovery_codes: codes ?? null } };
  });

  calls.delete('/me/second-factor/totp', secondFactorCalls.removeTotp, async (request) => {
    const account = await confirmedAccount(request);
    await database.transaction(async (trx) => {
      if (!(await removeAuthenticator(trx, account.id))) throw new NotFound();
      await assertFactorLeft(trx, account);
      await cleanUpFactors(trx, account.id);
      await notifyOfChange(trx, account, 'authenticator removed');
    });
    return { data: null };
  });

  calls.post('/me/recovery-codes', secondFactorCalls.recoveryCodes, async (request) => {
    const account = await confirmedAccount(request);
    const codes = await database.transaction(async (trx) => {
      if ((await factorsOf(trx, account.id)).length === 0) {
        throw new Conflict('Recovery codes need a second factor: set one up first.');
      }
      await notifyOfChange(trx, account, 'recovery codes made');
      return issueRecoveryCodes(program, trx, account.id);
    });
    return { data: { recovery_codes: codes } };
  });

  calls.post('/me/passkeys/options', secondFactorCalls.passkeyOptionsOfOwn, async (request) => ({
    data: await registrationOptions(program, await confirmedAccount(request)),
  }));

  calls.post('/me/passkeys', secondFactorCalls.addPasskey, async (request, reply) => {
    const account = await confirmedAccount(request);
    const { name, passkey } = request.body;
    const addedPasskey = await database.transaction(async (trx) => {
      const storedPasskey = await addPasskey(program, trx, account.id, name, passkey);
      await notifyOfChange(trx, account, 'passkey added');
      return { ...storedPasskey, recovery_codes: (await issueFirstRecoveryCodes(program, trx, account.id)) ?? null };
    });
    return reply.code(201).send({ data: addedPasskey });
  });

  calls.put('/me/passkeys/:id', secondFactorCalls.renamePasskey, async (request) => {
    const account = await confirmedAccount(request);
    const { name } = request.body;
    const renamedPasskey = await database.transaction((trx) => renamePasskey(trx, account.id, request.params.id, name));
    if (!renamedPasskey) throw new NotFound();
    return { data: renamedPasskey };
  });

  calls.delete('/me/passkeys/:id', secondFactorCalls.removePasskey, async (request) => {
    const account = await confirmedAccount(request);
    const removedPasskey = await database.transaction(async (trx) => {
      const [deletedPasskey] = await deletePasskeys(trx, account.id, request.params.id);
      if (!deletedPasskey) throw new NotFound();
      await assertFactorLeft(trx, account);
      await cleanUpFactors(trx, account.id);
      await notifyOfChange(trx, account, 'passkey removed');
      return deletedPasskey;
    });
    return { data: removedPasskey };
  });

  /** The caller's account. Throws Forbidden unless there is a recent proof of identity. */
  async function confirmedAccount(request: FastifyRequest): Promise<Account> {
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const account = await findAccountById(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    return account;
  }

  function notifyOfChange(trx: Transaction, { id, site_id }: Account, change: FactorChange['change']): Promise<void> {
    return recordFactorChange(program, trx, { userId: id, siteId: site_id, change });
  }
}

/** A user who must have a second factor cannot remove the last one. */
async function assertFactorLeft(trx: Transaction, { id }: Account): Promise<void> {
  if ((await factorsOf(trx, id)).length === 0 && (await mustHaveFactor(trx, id))) throw new Conflict(requiredMessage);
}
