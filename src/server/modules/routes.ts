import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Module } from '../../engine/studio/module';
import type { RequestContext } from '../access/request-context';
import { loadStoredModules } from '../definitions/stored-modules';
import { withStableRegistry } from '../definitions/registry-swap';
import { BadRequest, NotFound, Forbidden } from '../errors/errors';
import { requestContextOf } from '../accounts/session/caller-context';
import { changeDefinitionsIdempotent } from '../idempotency/run-idempotent';
import type { Program } from '../program';
import type { Body } from '../records/input';
import { loadHiddenColumns } from '../sync/purge';
import { moduleRoutes } from './route-descriptions';
import { createModule, publishModule, purgeModule, removeModule, restoreModule } from './change-modules';
import { columnCsv } from './column-csv';
import { describeModule, describeModules } from './describe-module';
import { planDraft } from './plan-draft';
import { latestChanges, loadVersions, wasSecret } from './versions';
import { parseChange, parseDraft } from './parse-change';

type ModuleParams = { Params: { name: string } };
type DeleteQuery = ModuleParams & { Querystring: Record<string, unknown> };
type ColumnParams = { Params: { name: string; column: string } };

/** The module routes: definitions as written, which can be changed while the program runs. Level 1 only. */
export function registerModuleRoutes(api: FastifyInstance, program: Program): void {
  const { database, definitions } = program;
  const { kysely } = database;

  api.get('/modules', moduleRoutes.list, async (request) => {
    await assertAdministrator(program, request);
    return { data: describeModules(definitions, await loadStoredModules(kysely), await latestChanges(kysely)) };
  });

  api.get<ModuleParams>('/modules/:name', moduleRoutes.view, async (request) => {
    await assertAdministrator(program, request);
    return { data: await loadModule(program, request.params.name) };
  });

  api.post<ModuleParams>('/modules/:name/plan', moduleRoutes.plan, async (request) => {
    await assertAdministrator(program, request);
    const { definition, purge } = parseChange(request.body, ['definition', 'purge'], ['definition']);
    return { data: await definitions.dryRun((stage) => planDraft(stage, request.params.name, definition, purge)) };
  });

  api.post('/modules', moduleRoutes.create, async (request, reply) => {
    const context = await assertAdministrator(program, request);
    const change = parseChange(request.body, ['definition', 'confirm'], ['definition']);
    const { name } = parseDraft(change.definition);
    reply.code(201);
    return runChange(context, request, reply, name, (within) => createModule(within, change));
  });

  api.put<ModuleParams>('/modules/:name', moduleRoutes.publish, async (request, reply) => {
    const context = await assertAdministrator(program, request);
    const { name } = request.params;
    const change = parseChange(
      request.body,
      ['definition', 'version', 'confirm', 'purge', 'shipped'],
      ['definition', 'version'],
    );
    return runChange(context, request, reply, name, (within) => publishModule(within, name, change));
  });

  api.get<ModuleParams>('/modules/:name/versions', moduleRoutes.versions, async (request) => {
    await assertAdministrator(program, request);
    const { name } = await loadModule(program, request.params.name);
    return { data: await loadVersions(kysely, name) };
  });

  api.post<ModuleParams>('/modules/:name/restore', moduleRoutes.restore, async (request, reply) => {
    const context = await assertAdministrator(program, request);
    const { name } = request.params;
    const change = parseChange(request.body, ['version', 'confirm'], ['version']);
    return runChange(context, request, reply, name, (within) => restoreModule(within, name, change));
  });

  api.delete<DeleteQuery>('/modules/:name', moduleRoutes.remove, async (request) => {
    const context = await assertAdministrator(program, request);
    const { name } = request.params;
    const { purge, confirm, ...others } = request.query;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new BadRequest(`Unknown property ${unknown}.`);
    const before = await loadModule(program, name);
    if (purge !== undefined) {
      if (purge !== '1') throw new BadRequest('purge must be 1.');
      await purgeModule(context, name, confirm);
      return { data: before };
    }
    if (confirm !== undefined && confirm !== '1') throw new BadRequest('confirm must be 1.');
    await removeModule(context, name, confirm === '1');
    return { data: await loadModule(program, name) };
  });

  api.get<ColumnParams>('/modules/:name/columns/:column', moduleRoutes.column, async (request, reply) => {
    await assertAdministrator(program, request);
    const { name, column } = request.params;
    const registry = definitions.registry();
    const definition = registry.get(name);
    if (!definition || (await wasSecret(kysely, name, column))) throw new NotFound();
    const bytes = await columnCsv(database, registry, definition, column);
    return reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="${definition.table}_${column}.csv"`)
      .send(bytes);
  });

  /** Changes a definition, once per idempotency key, and returns the active one. */
  async function runChange(
    context: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    run: (context: RequestContext) => Promise<unknown>,
  ) {
    const body = { values: request.body as Body['values'], text: false };
    return changeDefinitionsIdempotent(
      context,
      request,
      reply,
      body,
      async (within) => void (await run(within)),
      async () => ({
        data: await loadModule(program, name),
      }),
    );
  }
}

async function assertAdministrator(program: Program, request: FastifyRequest): Promise<RequestContext> {
  const context = await requestContextOf(program, request);
  if (context.actor.level !== 1)
    throw new Forbidden("You don't have permission to change modules: only the installation's administrator does.");
  return context;
}

/** A module with its hidden columns, all of a single version. Throws NotFound. */
function loadModule({ database, definitions }: Program, name: string): Promise<Module> {
  const read = async () => {
    const stored = await loadStoredModules(database.kysely);
    const changes = await latestChanges(database.kysely, name);
    const module = describeModule(definitions, name, stored.get(name), changes.get(name));
    if (!module) throw new NotFound();
    const registry = definitions.registry();
    const definition = registry.get(name);
    return definition ? { ...module, hidden: await loadHiddenColumns(database.kysely, registry, definition) } : module;
  };
  return withStableRegistry(definitions, read, { repeatable: true });
}
