import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { assertGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { BadRequest, Forbidden } from '../../errors/errors';
import { describeCall } from '../../routing/call-description';
import { requestContextOf } from '../session/caller-context';
import {
  dataSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
} from '../../routing/schemas';
import type { Program } from '../../program';
import { parseRange } from '../../records/query/list-query';
import { erasedDomain } from './erase';

interface DeletedUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly company: string | null;
  readonly deleted_at: string;
  readonly deleted_by: string | null;
}

const calls = {
  list: describeCall({
    id: 'deleted-users',
    tag: 'Users',
    summary: 'List the users that were deleted but not erased yet, latest first',
    query: { range: 'As in [0,14].' },
    shownTo: (actor) => actor.level <= 2,
    answer: dataSchema(
      arraySchema(
        objectSchema({
          id: idSchema,
          name: stringSchema,
          email: stringSchema,
          role: nullableSchema(stringSchema),
          company: nullableSchema(stringSchema),
          deleted_at: dateTimeSchema,
          deleted_by: nullableSchema(stringSchema),
        }),
      ),
    ),
  }),
};

const most = 100;

/** `GET deleted-users`: the users that can be erased; for administrators, and for owners those of their company. */
export function registerDeletedUsers(app: FastifyInstance, program: Program): void {
  app.get<{ Querystring: Record<string, unknown> }>('/deleted-users', calls.list, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const company = erasableCompany(context);
    const { range = '[0,14]', ...others } = request.query;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new BadRequest(`Unknown filter ${unknown}.`, 'UNKNOWN_FILTER');
    const { offset, limit } = parseRange(range);
    const where = sql`u.deleted_at is not null and u.email not like ${`%@${erasedDomain}`}
      and (${company}::integer is null or u.site_id = ${company})`;
    const { kysely } = program.database;
    const { rows } = await sql<DeletedUser>`select u.id, concat_ws(' ', u.first_name, u.last_name) as name, u.email,
        r.role_name as role, s.name as company, u.deleted_at, (
          select concat_ws(' ', d.first_name, d.last_name) from assay.history h join users d on d.id = h.user_id
          where h.resource = 'users' and h.record_id = u.id and h.event = 'deleted' order by h.id desc limit 1) as deleted_by
      from users u left join roles r on r.id = u.role_id left join sites s on s.id = u.site_id
      where ${where} order by u.deleted_at desc, u.id desc limit ${Math.min(limit, most)} offset ${offset}`.execute(
      kysely,
    );
    const all = await sql<{ total: number }>`select count(*)::integer as total from users u where ${where}`.execute(
      kysely,
    );
    const last = rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`;
    reply.header('Content-Range', `deleted-users ${last}/${all.rows[0]!.total}`);
    return { data: rows };
  });
}

/**
 * The company whose users the caller can erase; null: all. Throws Refused for anyone else; when viewing as another
 * user, both must be allowed to.
 */
export function erasableCompany(context: RequestContext): number | null {
  const all: Actor[] = [context.actor, ...(context.actor.viewer ? [context.actor.viewer] : [])];
  if (all.some(({ level }) => level > 2))
    throw new Forbidden('Only company owners and administrators can erase personal data.');
  assertGranted(context, context.registry.getOrThrow('users'), 'delete');
  return all.find(({ level }) => level === 2)?.site_id ?? null;
}
