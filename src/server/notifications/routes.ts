import type { Actor } from '../../engine/access/actor';
import { internalResources } from '../../engine/comments/internal-comments';
import { RequestContext } from '../access/request-context';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '../errors/errors';
import { typedApi } from '../routing/define-call';
import type { Program } from '../program';
import { accessOf } from '../accounts/session/authenticate';
import { notificationCalls } from './calls';
import {
  countNotifications,
  findNotification,
  listNotifications,
  markAllRead,
  markRead,
  withoutHiddenRecords,
  type Notification,
} from './notifications';
import { readNotificationQuery } from './query';
import { firstOf } from '../../engine/values/lookups';

/** `notifications`: those of the signed-in user. */
export function registerNotifications(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const { kysely } = program.database;
  const readerOf = (actor: Actor) => ({
    id: actor.id,
    site_id: actor.site_id,
    internal: internalResources(actor, program.definitions.registry()),
  });
  const readable = async (actor: Actor, notification: Notification | undefined): Promise<Notification> => {
    if (!notification) throw new NotFound();
    return firstOf(await withoutHiddenRecords(new RequestContext(program, actor), [notification]));
  };

  api.get('/notifications', notificationCalls.list, async (request, reply) => {
    const { actor } = await accessOf(program, request);
    const query = readNotificationQuery(request.query);
    const reader = readerOf(actor);
    const [storedNotifications, total] = await Promise.all([
      listNotifications(kysely, reader, query),
      countNotifications(kysely, reader, query),
    ]);
    const data = await withoutHiddenRecords(new RequestContext(program, actor), storedNotifications);
    const last = data.length === 0 ? '*' : `${query.from}-${query.from + data.length - 1}`;
    reply.header('Content-Range', `notifications ${last}/${total}`);
    return { data };
  });

  api.get('/notifications/:id', notificationCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: await readable(actor, await findNotification(kysely, readerOf(actor), request.params.id)) };
  });

  api.patch('/notifications/:id', notificationCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    return {
      data: await readable(actor, await markRead(kysely, readerOf(actor), request.params.id, request.body.isRead)),
    };
  });

  api.post('/notifications/read-all', notificationCalls.readAll, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: { read: await markAllRead(kysely, actor) } };
  });
}
