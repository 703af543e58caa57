import { Level } from '../../../engine/definitions/level';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { assertGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { Forbidden } from '../../errors/errors';
import { requestContextOf } from '../session/caller-context';
import {
  closedObject,
  dataOf,
  dateTime,
  defineCall,
  id,
  nullable,
  rangeParameter,
  typedApi,
} from '../../routing/define-call';
import type { Program } from '../../program';
import { parseRange } from '../../records/read/query/list-query';
import { serviceDomain } from '../service-accounts/service-users';
import { erasedDomain } from './erase';
import { oneRow } from '../../database/one-row';

interface DeletedUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly company: string | null;
  readonly deleted_at: string;
  readonly deleted_by: string | null;
}

/** Why others cannot erase users. */
export const erasureRefusal = 'Only company owners and administrators can erase personal data.';
const calls = {
  list: defineCall({
    id: 'deleted-users',
    scope: 'level',
    tag: 'Users',
    summary: 'List the users that were deleted but not erased yet, latest first',
    querystring: Type.Object({ range: rangeParameter }, closedObject),
    shownTo: (actor) => actor.level <= Level.Owner,
    refusal: erasureRefusal,
    answer: dataOf(
      Type.Array(
        Type.Object({
          id,
          name: Type.String(),
          email: Type.String(),
          role: nullable(Type.String()),
          company: nullable(Type.String()),
          deleted_at: dateTime,
          deleted_by: nullable(Type.String()),
        }),
      ),
    ),
  }),
};

const pageLimit = 100;

/** `GET deleted-users`: the users that can be erased; for administrators, and for owners those of their company. */
export function registerDeletedUsers(app: FastifyInstance, program: Program): void {
  typedApi(app).get('/deleted-users', calls.list, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const company = erasableCompany(context);
    const { offset, limit } = parseRange(request.query.range ?? '[0,14]');
    const erasableUsers = sql`u.deleted_at is not null and u.email not like ${`%@${erasedDomain}`}
      and u.email not like ${`%@${serviceDomain}`}
      and (${company}::bigint is null or u.site_id = ${company})`;
    const { kysely } = program.database;
    const { rows } = await sql<DeletedUser>`select u.id, concat_ws(' ', u.first_name, u.last_name) as name, u.email,
        r.role_name as role, s.name as company, u.deleted_at, (
          select concat_ws(' ', d.first_name, d.last_name) from assay.history h join users d on d.id = h.user_id
          where h.site_id = coalesce(u.site_id, 0) and h.resource = 'users' and h.record_id = u.id and h.event = 'deleted' order by h.id desc limit 1) as deleted_by
      from users u left join roles r on r.id = u.role_id left join sites s on s.id = u.site_id
      where ${erasableUsers} order by u.deleted_at desc, u.id desc limit ${Math.min(limit, pageLimit)} offset ${offset}`.execute(
      kysely,
    );
    const countResult = await sql<{
      total: number;
    }>`select count(*)::integer as total from users u where ${erasableUsers}`.execute(kysely);
    const last = rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`;
    reply.header('Content-Range', `deleted-users ${last}/${oneRow(countResult).total}`);
    return { data: rows };
  });
}

/**
 * The company whose users the caller can erase; null: all. Throws Forbidden for anyone else; when viewing as another
 * user, both must be allowed to.
 */
export function erasableCompany(context: RequestContext): number | null {
  const actors: Actor[] = [context.actor, ...(context.actor.viewer ? [context.actor.viewer] : [])];
  if (actors.some(({ level }) => level > Level.Owner)) throw new Forbidden(erasureRefusal);
  assertGranted(context, context.registry.getOrThrow('users'), 'delete');
  return actors.find(({ level }) => level === Level.Owner)?.site_id ?? null;
}
