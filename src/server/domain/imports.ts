import type { FastifyInstance } from 'fastify';
import { isGranted } from '../../engine/access/decide';
import { mustBeGranted } from '../access/reach';
import { NotFound } from '../errors/errors';
import { contextOf, rangeOf, wrap } from '../http/resource-routes';
import { registerImportRoutes } from '../imports/routes';
import type { Program } from '../program';
import { readId } from '../../engine/field-types/relation';
import { listRecords } from '../records/list';
import { readRecord } from '../records/read';
import { beginImport } from './import-history';

const resource = 'imports';

/** Imports, and their history: `GET imports?type`, of the types alone that the caller may list. */
export function registerImports(api: FastifyInstance, program: Program): void {
  registerImportRoutes(api, program, { resource, begin: beginImport });

  api.get<{ Querystring: Record<string, unknown> }>('/imports', async (request, reply) => {
    const context = await contextOf(program, request);
    const { registry, actor } = context;
    const definition = registry.need(resource);
    const { type } = request.query;
    const named = [type].flat().flatMap((names) => (typeof names === 'string' ? names.split(',') : []));
    for (const asked of named.flatMap((name) => registry.get(name) ?? [])) mustBeGranted(context, asked, 'list');
    const types = [...registry.definitions.values()].filter((one) => one.import && isGranted(actor, one.name, 'list'));
    const query =
      type === undefined ? { ...request.query, type: types.map(({ name }) => name).join(',') } : request.query;
    const page = await listRecords(context, definition, query);
    reply.header('Content-Range', rangeOf(resource, page));
    return { data: page.records };
  });

  api.get<{ Params: { id: string } }>('/imports/:id', async (request) => {
    const context = await contextOf(program, request);
    const definition = context.registry.need(resource);
    const id = readId(request.params.id);
    if (id === undefined) throw new NotFound();
    const record = await readRecord(context, definition, id);
    if (!isGranted(context.actor, String(record.type), 'list')) throw new NotFound();
    return wrap(definition, record);
  });
}
