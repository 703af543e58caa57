import type { FastifyInstance } from 'fastify';
import { unknownPropertyMessage } from '../../engine/validation/messages';
import { BadRequest, Invalid, NotFound } from '../errors/errors';
import type { Program } from '../program';
import { accessOf } from '../accounts/session/authenticate';
import { notificationCalls } from './calls';
import { countNotifications, listNotifications, markAllRead, markRead, findNotification } from './notifications';
import { readNotificationQuery } from './query';

type ById = { Params: { id: string } };

/** `notifications`: those of the signed-in user. */
export function registerNotifications(app: FastifyInstance, program: Program): void {
  const { kysely } = program.database;

  app.get<{ Querystring: Record<string, unknown> }>(
    '/notifications',
    notificationCalls.list,
    async (request, reply) => {
      const { actor } = await accessOf(program, request);
      const query = readNotificationQuery(request.query);
      const [data, total] = await Promise.all([
        listNotifications(kysely, actor.id, query),
        countNotifications(kysely, actor.id, query),
      ]);
      const last = data.length === 0 ? '*' : `${query.from}-${query.from + data.length - 1}`;
      reply.header('Content-Range', `notifications ${last}/${total}`);
      return { data };
    },
  );

  app.get<ById>('/notifications/:id', notificationCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: assertFound(await findNotification(kysely, actor.id, parseId(request.params.id))) };
  });

  app.patch<ById>('/notifications/:id', notificationCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    const isRead = parseIsRead(request.body);
    return { data: assertFound(await markRead(kysely, actor.id, parseId(request.params.id), isRead)) };
  });

  app.post('/notifications/read-all', notificationCalls.readAll, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: { read: await markAllRead(kysely, actor.id) } };
  });
}

function assertFound<T>(notification: T | undefined): T {
  if (!notification) throw new NotFound();
  return notification;
}

function parseId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > 2_147_483_647) throw new NotFound();
  return id;
}

function parseIsRead(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequest('The body must be a JSON object.');
  }
  const { isRead, ...others } = body as Record<string, unknown>;
  const errors = Object.fromEntries(Object.keys(others).map((name) => [name, unknownPropertyMessage(name)]));
  if (typeof isRead !== 'boolean') errors.isRead = 'isRead must be true or false.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return isRead as boolean;
}
