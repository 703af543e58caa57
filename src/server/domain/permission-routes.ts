import type { FastifyInstance } from 'fastify';
import { readId } from '../../engine/field-types/relation';
import { unknownMessage } from '../../engine/validation/messages';
import { mustBeGranted } from '../access/reach';
import { BadRequest, Invalid, NotFound } from '../errors/errors';
import { readBody } from '../http/read-body';
import { contextOf } from '../http/resource-routes';
import { once } from '../idempotency/once';
import { updateRecord } from '../records/update';
import { modulePermissions } from '../permissions/module-permissions';
import type { Program } from '../program';
import { calls } from './permission-calls';
import { listPermissions } from './permission-list';
import { savePermissions } from './permission-saving';
import { answerWhy } from './permission-why';

type Query = { Querystring: Record<string, unknown> };

/** `GET module-permissions`, `GET permissions`, `GET permissions/why`: who can do what, and why. */
export function registerPermissions(app: FastifyInstance, program: Program): void {
  app.get('/module-permissions', calls.modules, async (request) => {
    const context = await contextOf(program, request);
    mustBeGranted(context, context.registry.need('roles'), 'list');
    return { data: modulePermissions(context.registry) };
  });

  app.get('/permissions', calls.list, async (request) => ({
    data: await listPermissions(await contextOf(program, request)),
  }));

  app.put('/permissions', calls.changeAll, async (request, reply) => {
    const context = await contextOf(program, request);
    return once(context, request, reply, await readBody(request), async (within) => ({
      data: await savePermissions(within, request.body),
    }));
  });

  app.put<{ Params: { id: string } }>('/permissions/:id', calls.change, async (request, reply) => {
    const context = await contextOf(program, request);
    const definition = context.registry.need('roles');
    const id = readId(request.params.id);
    if (id === undefined) throw new NotFound();
    const values = readGrants(request.body);
    return once(context, request, reply, { values: { ...values }, text: false }, async (within) => {
      const role = await updateRecord(within, definition, id, { values: { ...values }, text: false });
      const { role_name, level, modulePermission } = role;
      return { data: { role_id: id, role_name, level, modulePermission } };
    });
  });

  app.get<Query>('/permissions/why', calls.why, async (request) => ({
    data: await answerWhy(await contextOf(program, request), request.query),
  }));
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
