import type { FastifyInstance } from 'fastify';
import { parseId } from '../../../engine/field-types/relation';
import { unknownPropertyMessage } from '../../../engine/validation/messages';
import { assertGranted } from '../../access/access-filter';
import { BadRequest, Invalid, NotFound } from '../../errors/errors';
import { readBody } from '../../routing/read-body';
import { requestContextOf } from '../session/caller-context';
import { runIdempotent } from '../../idempotency/run-idempotent';
import { updateRecord } from '../../records/update';
import { modulePermissions } from './module-permissions';
import type { Program } from '../../program';
import { permissionCalls } from './permission-calls';
import { listPermissions } from './list-permissions';
import { savePermissions } from './save-permissions';
import { explainPermission } from './explain-permission';

type Query = { Querystring: Record<string, unknown> };

/** `GET module-permissions`, `GET permissions`, `GET permissions/why`: who can do what, and why. */
export function registerPermissions(app: FastifyInstance, program: Program): void {
  app.get('/module-permissions', permissionCalls.modules, async (request) => {
    const context = await requestContextOf(program, request);
    assertGranted(context, context.registry.getOrThrow('roles'), 'list');
    return { data: modulePermissions(context.registry) };
  });

  app.get('/permissions', permissionCalls.list, async (request) => ({
    data: await listPermissions(await requestContextOf(program, request)),
  }));

  app.put('/permissions', permissionCalls.changeAll, async (request, reply) => {
    const context = await requestContextOf(program, request);
    return runIdempotent(context, request, reply, await readBody(request), async (within) => ({
      data: await savePermissions(within, request.body),
    }));
  });

  app.put<{ Params: { id: string } }>('/permissions/:id', permissionCalls.change, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const definition = context.registry.getOrThrow('roles');
    const id = parseId(request.params.id);
    if (id === undefined) throw new NotFound();
    const values = readGrants(request.body);
    return runIdempotent(context, request, reply, { values: { ...values }, text: false }, async (within) => {
      const role = await updateRecord(within, definition, id, { values: { ...values }, text: false });
      const { role_name, level, modulePermission } = role;
      return { data: { role_id: id, role_name, level, modulePermission } };
    });
  });

  app.get<Query>('/permissions/why', permissionCalls.why, async (request) => ({
    data: await explainPermission(await requestContextOf(program, request), request.query),
  }));
}

function readGrants(body: unknown): { modulePermission: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequest('The body must be a JSON object.');
  }
  const { modulePermission, ...others } = body as Record<string, unknown>;
  const errors = Object.fromEntries(Object.keys(others).map((name) => [name, unknownPropertyMessage(name)]));
  if (!Array.isArray(modulePermission)) errors.modulePermission = 'Permissions must be a list.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return { modulePermission };
}
