import type { FastifyInstance } from 'fastify';
import { typedApi } from '../../routing/define-call';
import { requestContextOf } from '../session/caller-context';
import { runIdempotent } from '../../idempotency/run-idempotent';
import { updateRecord } from '../../records/write/update';
import { modulePermissions } from './module-permissions';
import type { Program } from '../../program';
import { permissionCalls } from './permission-calls';
import { listPermissions } from './list-permissions';
import { savePermissions } from './save-permissions';
import { explainPermission } from './explain-permission';

/** `GET module-permissions`, `GET permissions`, `GET permissions/why`: who can do what, and why. */
export function registerPermissions(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  calls.get('/module-permissions', permissionCalls.modules, async (request) => {
    const context = await requestContextOf(program, request);
    return { data: modulePermissions(context.registry) };
  });

  calls.get('/permissions', permissionCalls.list, async (request) => ({
    data: await listPermissions(await requestContextOf(program, request)),
  }));

  calls.put('/permissions', permissionCalls.changeAll, async (request, reply) => {
    const context = await requestContextOf(program, request);
    return runIdempotent(context, request, reply, { values: request.body, text: false }, async (idempotentContext) => ({
      data: await savePermissions(idempotentContext, request.body.roles),
    }));
  });

  calls.put('/permissions/:id', permissionCalls.change, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const definition = context.registry.getOrThrow('roles');
    const { id } = request.params;
    const body = { values: request.body, text: false };
    return runIdempotent(context, request, reply, body, async (idempotentContext) => {
      const role = await updateRecord({ context: idempotentContext, definition }, id, body);
      const { role_name, key, level, modulePermission } = role;
      return { data: { role_id: id, role_name, key, level, modulePermission } };
    });
  });

  calls.get('/permissions/why', permissionCalls.why, async (request) => ({
    data: await explainPermission(await requestContextOf(program, request), request.query),
  }));
}
