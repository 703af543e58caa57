import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { Transaction } from '../database/database';
import { parseId } from '../../engine/field-types/relation';
import { Invalid } from '../errors/errors';
import { typedApi } from '../routing/define-call';
import { requestContextOf } from '../accounts/session/caller-context';
import { runIdempotent } from '../idempotency/run-idempotent';
import type { Program } from '../program';
import { authenticate } from '../accounts/session/authenticate';
import { announcementCalls, type Announcement } from './announcement-calls';
import { announcementChoices, reachableRoles, reachableUsers } from './announcement-choices';
import { sendNotifications } from './send-notifications';

/** `POST notifications`: notifies the chosen users and the users with the chosen roles; without a choice everybody. */
export function registerAnnouncements(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);

  api.post('/notifications', announcementCalls.announce, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { title, content, ...recipients } = request.body;
    const announcement = { ...recipients, title: title.trim(), content: content.trim() };
    reply.status(201);
    const body = { values: request.body, text: false };
    return runIdempotent(context, request, reply, body, async ({ program: hookProgram }) => {
      const notifiedCount = await hookProgram.database.transaction((trx) =>
        announce(hookProgram, trx, context.actor, announcement),
      );
      return { data: { title: announcement.title, content: announcement.content, recipients: notifiedCount } };
    });
  });

  api.get('/notifications/choices/:field', announcementCalls.choices, async (request) => {
    const actor = await authenticate(program, request);
    const { q, id } = request.query;
    const choices = { q, ids: id?.split(',').map(parseId) };
    return { data: await announcementChoices(program.database.kysely, actor, request.params.field, choices) };
  });
}

async function announce(program: Program, trx: Transaction, actor: Actor, announcement: Announcement): Promise<number> {
  const { title, content } = announcement;
  const [role_ids, user_ids] = [announcement.role_ids ?? [], announcement.user_ids ?? []];
  const people = await reachableUsers(trx, actor);
  const knownUsers = new Set(people.map(({ id }) => id));
  const roles = new Set((await reachableRoles(trx, actor)).map(({ id }) => id));
  const errors: FieldErrors = {};
  if (role_ids.some((id) => !roles.has(id))) errors.role_ids = 'Roles contains one that does not exist.';
  if (user_ids.some((id) => !knownUsers.has(id)))
    errors.user_ids = 'Users contains one that does not exist or is not active.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  const isForAll = role_ids.length + user_ids.length === 0;
  const chosenPeople = people.filter(
    ({ id, role_id }) => isForAll || role_ids.includes(role_id) || user_ids.includes(id),
  );
  const notifiedUsers = await sendNotifications(program, trx, {
    occasion: 'announcement',
    company: actor.site_id,
    recipients: chosenPeople.map(({ id }) => id),
    link: null,
    values: { title, text: content },
  });
  return notifiedUsers.length;
}
