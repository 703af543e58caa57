import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Module } from '../../engine/studio/module';
import type { RequestContext } from '../access/request-context';
import { loadStoredModules, parseSource, type StoredModule, type StoredModules } from '../definitions/stored-modules';
import { withStableRegistry } from '../definitions/registry-swap';
import { BadRequest, NotFound } from '../errors/errors';
import { typedApi } from '../routing/define-call';
import { requestContextOf } from '../accounts/session/caller-context';
import { changeDefinitionsIdempotent } from '../idempotency/run-idempotent';
import type { Program } from '../program';
import type { Body } from '../records/write/input';
import { tryAutomations } from '../automation/try-out';
import { loadHiddenColumns } from '../sync/purge';
import { moduleCalls } from './calls';
import { createModule, publishModule, purgeModule, removeModule, restoreModule } from './change-modules';
import { columnCsv } from './column-csv';
import { planDraft, parseDraft } from './plan-draft';
import { readDraft } from './read-draft';
import { trialRegistry } from './trial-registry';
import { latestChanges, loadVersions, wasSecret } from './versions';
import { definitionName } from '../definitions/candidates';
import { computeUpgrade } from '../definitions/upgrades';
import type { LiveDefinitions } from '../definitions/live-definitions';

/** The module routes: definitions as written, which can be changed while the program runs. Level 1 only. */
export function registerModuleRoutes(api: FastifyInstance, program: Program): void {
  const modules = typedApi(api);
  const { database, definitions } = program;
  const { kysely } = database;

  modules.get('/modules', moduleCalls.list, async () => {
    return { data: describeModules(definitions, await loadStoredModules(kysely), await latestChanges(kysely)) };
  });

  modules.get('/modules/:name', moduleCalls.view, async (request) => {
    return { data: await loadModule(program, request.params.name) };
  });

  modules.post('/modules/:name/plan', moduleCalls.plan, async (request) => {
    const { definition, purge = [] } = request.body;
    return { data: await definitions.dryRun((stage) => planDraft(stage, request.params.name, definition, purge)) };
  });

  modules.post('/modules/:name/try', moduleCalls.tryOut, async (request) => {
    const context = await requestContextOf(program, request);
    const { definition, changed: changedValues, ...otherProperties } = request.body;
    const trial = { ...otherProperties, ...(changedValues && { changed: changedValues as Body['values'] }) };
    const { registry, note } = await trialRegistry(definitions, request.params.name, definition);
    return { data: { note, automations: await tryAutomations(context, registry, request.params.name, trial) } };
  });

  modules.post('/modules/:name/read', moduleCalls.read, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { body, range } = await readDraft(context, request.params.name, request.body);
    if (range !== undefined) reply.header('Content-Range', range);
    return body;
  });

  modules.post('/modules', moduleCalls.create, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { name } = parseDraft(request.body.definition);
    reply.code(201);
    return runChange(context, request, reply, name, (idempotentContext) =>
      createModule(idempotentContext, request.body),
    );
  });

  modules.put('/modules/:name', moduleCalls.publish, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { name } = request.params;
    return runChange(context, request, reply, name, (idempotentContext) =>
      publishModule(idempotentContext, name, request.body),
    );
  });

  modules.get('/modules/:name/versions', moduleCalls.versions, async (request) => {
    const { name } = await loadModule(program, request.params.name);
    return { data: await loadVersions(kysely, name) };
  });

  modules.post('/modules/:name/restore', moduleCalls.restore, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { name } = request.params;
    return runChange(context, request, reply, name, (idempotentContext) =>
      restoreModule(idempotentContext, name, request.body),
    );
  });

  modules.delete('/modules/:name', moduleCalls.remove, async (request) => {
    const context = await requestContextOf(program, request);
    const { name } = request.params;
    const { purge, confirm, version } = request.query;
    const previousModule = await loadModule(program, name);
    if (purge) {
      await purgeModule(context, name, confirm);
      return { data: previousModule };
    }
    if (confirm !== undefined && confirm !== '1') throw new BadRequest('confirm must be 1.');
    await removeModule(context, name, { confirm: confirm === '1', version });
    return { data: await loadModule(program, name) };
  });

  modules.get('/modules/:name/columns/:column', moduleCalls.column, async (request, reply) => {
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
      async (idempotentContext) => void (await run(idempotentContext)),
      async () => ({
        data: await loadModule(program, name),
      }),
    );
  }
}

/** A module with its hidden columns, all of a single version. Throws NotFound. */
function loadModule({ database, definitions }: Program, name: string): Promise<Module> {
  const read = async () => {
    const storedModules = await loadStoredModules(database.kysely);
    const changes = await latestChanges(database.kysely, name);
    const module = describeModule(definitions, name, storedModules.get(name), changes.get(name));
    if (!module) throw new NotFound();
    const registry = definitions.registry();
    const definition = registry.get(name);
    return definition ? { ...module, hidden: await loadHiddenColumns(database.kysely, registry, definition) } : module;
  };
  return withStableRegistry(definitions, read, { repeatable: true });
}

type LatestChange = Module['changed'];

/** All modules: shipped, changed, custom and retired. `changes` are their latest versions by name. */
function describeModules(
  definitions: LiveDefinitions,
  storedModules: StoredModules,
  changes: ReadonlyMap<string, LatestChange>,
): Module[] {
  const names = [...new Set([...definitions.shippedSources().keys(), ...storedModules.keys()])].sort();
  return names.flatMap((name) => describeModule(definitions, name, storedModules.get(name), changes.get(name)) ?? []);
}

/** A module as the studio uses it; undefined if it does not exist. */
function describeModule(
  definitions: LiveDefinitions,
  name: string,
  module: StoredModule | undefined,
  latestChange: LatestChange | undefined,
): Module | undefined {
  const shippedText = definitions.shippedSources().get(name);
  const { origin = 'shipped', version = 1, source = null, retired_at = null } = module ?? {};
  const shippedSource = shippedText === undefined ? undefined : parseSource(shippedText);
  const definition =
    source === null ? shippedSource && (definitions.sources().get(name) ?? shippedSource) : parseSource(source);
  if (!definition) return undefined;
  const customised = origin === 'shipped' && source !== null;
  const faults = definitions.problems().filter(({ file }) => definitionName(file) === name);
  return {
    name,
    labels: definition.labels,
    origin,
    version,
    customised,
    retired: retired_at !== null,
    changed: latestChange ?? null,
    definition,
    shipped: (customised && shippedSource) || null,
    // A newer version has merged it already.
    upgrade: (module && !definitions.isOlder() && computeUpgrade(module, shippedText)) || null,
    hidden: [],
    faults: faults.map(({ path, message }) => ({ path, message })),
  };
}
