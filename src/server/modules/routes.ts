import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Module } from '../../engine/studio/module';
import type { RequestContext } from '../access/request-context';
import { readStored } from '../definitions/stored-modules';
import { underDefinitions } from '../definitions/turnover';
import { BadRequest, NotFound, Refused } from '../errors/errors';
import { contextOf } from '../http/resource-routes';
import { onceChanged } from '../idempotency/once';
import type { Program } from '../program';
import type { Body } from '../records/input';
import { hiddenColumns } from '../sync/purge';
import { calls } from './calls';
import { createModule, publishModule, purgeModule, removeModule, restoreModule } from './changes';
import { columnFile } from './column-file';
import { describeModule, describeModules } from './describe-module';
import { planDraft } from './plan-draft';
import { latestChanges, versionsOf, wasSecret } from './versions';
import { readChange, readDraft } from './read-change';

type OnModule = { Params: { name: string } };
type Removal = OnModule & { Querystring: Record<string, unknown> };
type OnColumn = { Params: { name: string; column: string } };

/** The module routes: definitions as written, which can be changed while the program runs. Level 1 only. */
export function registerModules(api: FastifyInstance, program: Program): void {
  const { database, definitions } = program;
  const { kysely } = database;

  api.get('/modules', calls.list, async (request) => {
    await enter(program, request);
    return { data: describeModules(definitions, await readStored(kysely), await latestChanges(kysely)) };
  });

  api.get<OnModule>('/modules/:name', calls.view, async (request) => {
    await enter(program, request);
    return { data: await moduleOf(program, request.params.name) };
  });

  api.post<OnModule>('/modules/:name/plan', calls.plan, async (request) => {
    await enter(program, request);
    const { definition, purge } = readChange(request.body, ['definition', 'purge'], ['definition']);
    return { data: await definitions.preview((stage) => planDraft(stage, request.params.name, definition, purge)) };
  });

  api.post('/modules', calls.create, async (request, reply) => {
    const context = await enter(program, request);
    const change = readChange(request.body, ['definition', 'confirm'], ['definition']);
    const { name } = readDraft(change.definition);
    reply.code(201);
    return runChange(context, request, reply, name, (within) => createModule(within, change));
  });

  api.put<OnModule>('/modules/:name', calls.publish, async (request, reply) => {
    const context = await enter(program, request);
    const { name } = request.params;
    const change = readChange(
      request.body,
      ['definition', 'version', 'confirm', 'purge', 'shipped'],
      ['definition', 'version'],
    );
    return runChange(context, request, reply, name, (within) => publishModule(within, name, change));
  });

  api.get<OnModule>('/modules/:name/versions', calls.versions, async (request) => {
    await enter(program, request);
    const { name } = await moduleOf(program, request.params.name);
    return { data: await versionsOf(kysely, name) };
  });

  api.post<OnModule>('/modules/:name/restore', calls.restore, async (request, reply) => {
    const context = await enter(program, request);
    const { name } = request.params;
    const change = readChange(request.body, ['version', 'confirm'], ['version']);
    return runChange(context, request, reply, name, (within) => restoreModule(within, name, change));
  });

  api.delete<Removal>('/modules/:name', calls.remove, async (request) => {
    const context = await enter(program, request);
    const { name } = request.params;
    const { purge, confirm, ...others } = request.query;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new BadRequest(`Unknown property ${unknown}.`);
    const before = await moduleOf(program, name);
    if (purge !== undefined) {
      if (purge !== '1') throw new BadRequest('purge must be 1.');
      await purgeModule(context, name, confirm);
      return { data: before };
    }
    if (confirm !== undefined && confirm !== '1') throw new BadRequest('confirm must be 1.');
    await removeModule(context, name, confirm === '1');
    return { data: await moduleOf(program, name) };
  });

  api.get<OnColumn>('/modules/:name/columns/:column', calls.column, async (request, reply) => {
    await enter(program, request);
    const { name, column } = request.params;
    const registry = definitions.registry();
    const definition = registry.get(name);
    if (!definition || (await wasSecret(kysely, name, column))) throw new NotFound();
    const bytes = await columnFile(database, registry, definition, column);
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
    return onceChanged(
      context,
      request,
      reply,
      body,
      async (within) => void (await run(within)),
      async () => ({
        data: await moduleOf(program, name),
      }),
    );
  }
}

async function enter(program: Program, request: FastifyRequest): Promise<RequestContext> {
  const context = await contextOf(program, request);
  if (context.actor.level !== 1)
    throw new Refused("You don't have permission to change modules: only the installation's administrator does.");
  return context;
}

/** A module with its hidden columns, all of a single version. Throws NotFound. */
function moduleOf({ database, definitions }: Program, name: string): Promise<Module> {
  const read = async () => {
    const stored = await readStored(database.kysely);
    const changes = await latestChanges(database.kysely, name);
    const module = describeModule(definitions, name, stored.get(name), changes.get(name));
    if (!module) throw new NotFound();
    const registry = definitions.registry();
    const definition = registry.get(name);
    return definition ? { ...module, hidden: await hiddenColumns(database.kysely, registry, definition) } : module;
  };
  return underDefinitions(definitions, read, { repeatable: true });
}
