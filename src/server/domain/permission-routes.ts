import type { FastifyInstance } from 'fastify';
import { actions, type Action } from '../../engine/definitions/definition';
import { readId as readRecordId } from '../../engine/field-types/relation';
import { unknownMessage } from '../../engine/validation/messages';
import { sql } from 'kysely';
import { mustBeGranted, reach, visible } from '../access/reach';
import { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import { BadRequest, Invalid, NotFound } from '../http/errors';
import { contextOf } from '../http/resource-routes';
import { updateRecord } from '../records/update';
import { explain, type Question } from '../permissions/explain';
import { allPermissions, grantIds, permissionsOfRoles } from '../permissions/grants';
import { modulePermissions } from '../permissions/module-permissions';
import type { Program } from '../program';
import { calls } from './permission-calls';
import { accountOfUser, actorOf } from './accounts';

type Query = { Querystring: Record<string, unknown> };

/** `GET module-permissions`, `GET permissions`, `GET permissions/why`: who may do what, and why. */
export function registerPermissions(app: FastifyInstance, program: Program): void {
  const { kysely } = program.database;

  app.get('/module-permissions', calls.modules, async (request) => {
    const context = await contextOf(program, request);
    mustBeGranted(context, context.registry.need('roles'), 'list');
    return { data: modulePermissions(context.registry) };
  });

  app.get('/permissions', calls.list, async (request) => {
    const context = await contextOf(program, request);
    const { registry } = context;
    const definition = registry.need('roles');
    const where = predicateToSql(reach(context, definition, 'list'), definition, definition.table, registry);
    const roles = await kysely.selectFrom(definition.table).select(['id', 'role_name', 'level']).where(where).orderBy('id').execute(); // prettier-ignore
    const stored = await permissionsOfRoles(
      kysely,
      roles.map(({ id }) => id),
    );
    const held = (id: number, level: number) => (level === 1 ? allPermissions(registry) : (stored.get(id) ?? {}));
    const data = roles.map(({ id, role_name, level }) => ({
      role_id: id,
      role_name,
      level,
      modulePermission: grantIds(registry, held(id, level)),
    }));
    return { data };
  });

  app.put<{ Params: { id: string } }>('/permissions/:id', calls.change, async (request) => {
    const context = await contextOf(program, request);
    const definition = context.registry.need('roles');
    const id = readRecordId(request.params.id);
    if (id === undefined) throw new NotFound();
    const values = readGrants(request.body);
    const role = await updateRecord(context, definition, id, { values, text: false });
    const { role_name, level, modulePermission } = role;
    return { data: { role_id: id, role_name, level, modulePermission } };
  });

  app.get<Query>('/permissions/why', calls.why, async (request) => {
    const context = await contextOf(program, request);
    const { definition, userId, ...question } = readQuestion(context, request.query);
    if (question.id !== undefined) await mustSee(context, definition.name, question.id);
    if (userId === context.actor.id) return { data: await explain(context, definition, question) };
    mustBeGranted(context, context.registry.need('roles'), 'view');
    await mustSee(context, 'users', userId);
    const account = await accountOfUser(kysely, userId);
    if (!account) throw new NotFound();
    const asked = new RequestContext(program, await actorOf(kysely, account));
    if (!account.mayEnter) {
      return { data: { allowed: false, reason: 'The account is not active.', grant: null, rule: null } };
    }
    return { data: await explain(asked, definition, question) };
  });
}

function readGrants(body: unknown): { modulePermission: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequest('The body must be a JSON object.');
  }
  const { modulePermission, ...others } = body as Record<string, unknown>;
  const errors = Object.fromEntries(Object.keys(others).map((name) => [name, unknownMessage(name)]));
  if (!Array.isArray(modulePermission)) errors.modulePermission = 'Permissions must be a list.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return { modulePermission };
}

/** Throws NotFound for a record that the caller cannot see, so that no answer betrays that it is there. */
async function mustSee(context: RequestContext, name: string, id: number): Promise<void> {
  const definition = context.registry.need(name);
  const where = predicateToSql(visible(context, definition), definition, definition.table, context.registry);
  const found = await context.program.database.kysely
    .selectFrom(definition.table)
    .select(sql`1`.as('one'))
    .where('id', '=', id)
    .where(where)
    .executeTakeFirst();
  if (!found) throw new NotFound();
}

function readQuestion(context: RequestContext, query: Readonly<Record<string, unknown>>) {
  const { module, action, user_id, id, field, ...others } = query;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new BadRequest(`There is nothing to ask by the name of ${unknown}.`);
  const definition = typeof module === 'string' ? context.registry.get(module) : undefined;
  if (!definition) throw new BadRequest('module must be the name of a module.');
  if (!actions.includes(action as Action)) throw new BadRequest(`action must be one of ${actions.join(', ')}.`);
  if (field !== undefined && !(typeof field === 'string' && Object.hasOwn(definition.fields, field))) {
    throw new BadRequest(`field must be a field of ${definition.labels.many}.`);
  }
  const question: Question = { action: action as Action, id: readId('id', id), field: field as string | undefined };
  return { definition, userId: readId('user_id', user_id) ?? context.actor.id, ...question };
}

function readId(name: string, value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined;
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0;
  if (id < 1 || id > 2_147_483_647) throw new BadRequest(`${name} must be an id.`);
  return id;
}
