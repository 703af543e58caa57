import type { FastifyInstance } from 'fastify';
import { mustBeGranted } from '../../access/reach';
import { mustNotBeMorePowerful } from '../users';
import { contextOf } from '../../http/resource-routes';
import type { Program } from '../../program';
import { readRecord } from '../../records/read';
import { forgetAccess } from '../../session/access-cache';
import { assertRecentProof } from '../../session/proof';
import { endSignInsOf } from '../../session/sign-ins';
import { readForm } from '../../session/forms';
import { calls, userForm } from '../../second-factor/calls';
import { dropFactors } from '../../second-factor/factors';
import { tellOfChange } from './changes';

/**
 * `POST reset-second-factor` `{user_id}`: for a user who lost it. Ends the user's sessions and notifies the user by
 * mail. Refused for a more powerful user. The status is false, and nothing is changed, if there is none.
 */
export function registerFactorReset(app: FastifyInstance, program: Program): void {
  const { database } = program;
  app.post('/reset-second-factor', calls.reset, async (request) => {
    const context = await contextOf(program, request);
    const definition = context.registry.need('users');
    mustBeGranted(context, definition, 'edit');
    const { user_id: id } = readForm<{ user_id: number }>(userForm, request.body);
    const user = await readRecord(context, definition, id);
    assertRecentProof(context.actor);
    const done = await database.transaction(async (trx) => {
      await mustNotBeMorePowerful(trx, context.actor, user.role_id as number);
      if (!(await dropFactors(trx, id))) return false;
      await endSignInsOf(trx, id);
      await forgetAccess(database, trx);
      const siteId = (user.site_id as number | null) ?? null;
      await tellOfChange(program, trx, {
        userId: id,
        siteId,
        change: 'reset',
        by: context.actor.id,
        subject: String(user.name ?? ''),
      });
      return true;
    });
    if (!done) return { status: false, message: 'This user has no second factor.' };
    return { status: true, message: 'The second factor was removed. The user was notified by email.' };
  });
}
