import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { assertNotMorePowerful } from '../users/users';
import { requestContextOf } from '../session/caller-context';
import type { Program } from '../../program';
import { readRecord } from '../../records/read/read';
import { clearAccessCache } from '../session/access-cache';
import { assertRecentProof } from '../session/identity-proof';
import { endAllSignIns } from '../session/sign-ins';
import { secondFactorCalls } from './calls';
import { removeFactors } from './factors';
import { recordFactorChange } from './changes';
import { companyOf } from '../../../engine/definitions/accessors';

/**
 * `POST reset-second-factor` `{user_id}`: for a user who lost it. Ends the user's sessions and notifies the user by
 * mail. Refused for a more powerful user. The status is false, and nothing is changed, if there is none.
 */
export function registerFactorReset(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/reset-second-factor', secondFactorCalls.reset, async (request) => {
    const context = await requestContextOf(program, request);
    const definition = context.registry.getOrThrow('users');
    const { user_id: id } = request.body;
    const user = await readRecord({ context, definition }, id);
    assertRecentProof(context.actor);
    const isReset = await database.transaction(async (trx) => {
      await assertNotMorePowerful(trx, context.actor, user.role_id as number);
      if (!(await removeFactors(trx, id))) return false;
      await endAllSignIns(trx, id);
      await clearAccessCache(database, trx);
      const siteId = companyOf(user);
      await recordFactorChange(program, trx, {
        userId: id,
        siteId,
        change: 'reset',
        actorId: context.actor.id,
        subject: String(user.name ?? ''),
      });
      return true;
    });
    if (!isReset) return { status: false, message: 'This user has no second factor.' };
    return { status: true, message: 'The second factor was removed. The user was notified by email.' };
  });
}
