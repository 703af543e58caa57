import type { FastifyInstance } from 'fastify';
import { NotFound } from '../errors/errors';
import { typed } from '../routing/define-call';
import type { Program } from '../program';
import { accessOf } from '../accounts/session/authenticate';
import { notificationCalls } from './calls';
import { countNotifications, listNotifications, markAllRead, markRead, findNotification } from './notifications';
import { readNotificationQuery } from './query';

/** `notifications`: those of the signed-in user. */
export function registerNotifications(app: FastifyInstance, program: Program): void {
  const api = typed(app);
  const { kysely } = program.database;

  api.get('/notifications', notificationCalls.list, async (request, reply) => {
    const { actor } = await accessOf(program, request);
    const query = readNotificationQuery(request.query);
    const [data, total] = await Promise.all([
      listNotifications(kysely, actor.id, query),
      countNotifications(kysely, actor.id, query),
    ]);
    const last = data.length === 0 ? '*' : `${query.from}-${query.from + data.length - 1}`;
    reply.header('Content-Range', `notifications ${last}/${total}`);
    return { data };
  });

  api.get('/notifications/:id', notificationCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: assertFound(await findNotification(kysely, actor.id, request.params.id)) };
  });

  api.patch('/notifications/:id', notificationCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: assertFound(await markRead(kysely, actor.id, request.params.id, request.body.isRead)) };
  });

  api.post('/notifications/read-all', notificationCalls.readAll, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: { read: await markAllRead(kysely, actor.id) } };
  });
}

function assertFound<T>(notification: T | undefined): T {
  if (!notification) throw new NotFound();
  return notification;
}
