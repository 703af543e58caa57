import { Level } from '../../engine/definitions/level';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { rotateSigningKey } from '../files/signing-keys';
import { closedObject, defineCall, outcome, typedApi } from '../routing/define-call';
import type { Program } from '../program';
import { recordSecurityEvent } from '../security-log/security-log';
import { clearAccessCache } from './session/access-cache';
import { accessOf } from './session/authenticate';
import { assertRecentProof } from './session/identity-proof';
import { onEngineTables } from '../database/engine-tables';

const call = defineCall({
  id: 'rotate-keys',
  scope: 'level',
  tag: 'Signing in',
  summary: 'Sign file URLs with a new key; sign_out also ends every session and every code sent by mail',
  shownTo: (actor) => actor.level === Level.Installation,
  refusal: 'Only an administrator of the installation can rotate its keys.',
  body: Type.Object({ sign_out: Type.Optional(Type.Boolean()) }, closedObject),
  answer: outcome,
});

/** `POST rotate-keys` `{sign_out}`, for administrators of the installation: new keys replace the present ones, and nothing stored is lost. */
export function registerKeyRotation(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/rotate-keys', call, async (request) => {
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const { sign_out = false } = request.body;
    await database.transaction(async (trx) => {
      await rotateSigningKey(database, trx);
      if (sign_out) {
        await onEngineTables(trx).deleteFrom('tokens').execute();
        await onEngineTables(trx).deleteFrom('codes').execute();
        await clearAccessCache(database, trx);
      }
      await recordSecurityEvent(
        program,
        { event: 'settings_changed', actor, subject: 'Keys rotated', detail: { sign_out } },
        trx,
      );
    });
    const message = sign_out
      ? 'The keys were rotated and everybody was signed out.'
      : 'The key for file URLs was rotated.';
    return { status: true, message };
  });
}
