import { typedApi } from '../../routing/define-call';
import type { Actor } from '../../../engine/access/actor';
import type { FastifyInstance } from 'fastify';
import { preferencesOf } from '../profile/preferences';
import { findAccountById } from '../users/accounts';
import { hasConfirmedAddress } from '../users/confirmed-addresses';
import { canViewAs } from '../view-as/viewed-actor';
import { NotFound, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import type { SecurityEvent } from '../../security-log/events';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from './access-cache';
import { sessionCalls, signInCalls } from './calls';
import { describePerson, describeRoles, visiblePermissions } from './describe-person';
import { accessOf } from './authenticate';
import { clearRenewalCookie, wantsRenewable } from './renewal-cookie';
import { endSignIn, signInsOf } from './sign-ins';

/** `GET me`, `POST logout`, `GET sign-ins`, `DELETE sign-ins/{id}`. */
export function registerMe(app: FastifyInstance, program: Program): void {
  const { database } = program;

  app.get('/me', signInCalls(program.product.signInFacts?.schema).me, async (request) => {
    const { actor } = await accessOf(program, request);
    const account = await findAccountById(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const [person, preferences] = await Promise.all([
      describePerson(program, account, actor),
      preferencesOf(program, actor.id),
    ]);
    const site = actor.site_id === null ? null : { id: actor.site_id, name: account.site_name };
    const user = {
      ...person.user,
      site,
      confirmed: await hasConfirmedAddress(database.kysely, actor.id),
      mayViewAs: canViewAs(actor),
    };
    return {
      data: {
        ...person,
        user,
        ...describeRoles(account, actor),
        permissions: visiblePermissions(program, actor),
        preferences,
      },
    };
  });

  app.post('/logout', sessionCalls.logout, async (request, reply) => {
    const { actor, signInId } = await accessOf(program, request);
    await end(actor, signInId, 'sign_out');
    if (wantsRenewable(request)) clearRenewalCookie(request, reply, program.settings);
    return { status: true, message: 'You are signed out.' };
  });

  app.get('/sign-ins', sessionCalls.signIns, async (request) => {
    const { actor, signInId } = await accessOf(program, request);
    const signIns = await signInsOf(database.kysely, actor.id);
    return { data: signIns.map((signIn) => ({ ...signIn, current: signIn.id === signInId })) };
  });

  typedApi(app).delete('/sign-ins/:id', sessionCalls.endSignIn, async (request) => {
    const { actor, signInId } = await accessOf(program, request);
    const { id } = request.params;
    const currentSignIn = (await signInsOf(database.kysely, actor.id)).find((signIn) => signIn.id === id);
    if (!currentSignIn || !(await end(actor, id, 'sign_in_ended'))) throw new NotFound();
    return { data: { ...currentSignIn, current: id === signInId } };
  });

  function end(actor: Actor, signInId: number, event: SecurityEvent): Promise<boolean> {
    return database.transaction(async (trx) => {
      await clearAccessCache(database, trx);
      await recordSecurityEvent(program, { event, actor }, trx);
      return endSignIn(trx, actor.id, signInId);
    });
  }
}
