import type { FastifyInstance } from 'fastify';
import { mustBeGranted } from '../access/reach';
import { contextOf, rangeOf } from '../http/resource-routes';
import { registerImportRoutes } from '../imports/routes';
import type { Program } from '../program';
import { listRecords } from '../records/list';
import { importHistory } from './import-history';

const resource = 'imports';

/** Imports, and their history: `GET imports?type`, refused for a type that the caller may not list; a row rule keeps the others. */
export function registerImports(api: FastifyInstance, program: Program): void {
  registerImportRoutes(api, program, importHistory);

  api.get<{ Querystring: Record<string, unknown> }>('/imports', async (request, reply) => {
    const context = await contextOf(program, request);
    const { registry } = context;
    const definition = registry.need(resource);
    const { type } = request.query;
    const named = [type].flat().flatMap((names) => (typeof names === 'string' ? names.split(',') : []));
    for (const asked of named.flatMap((name) => registry.get(name) ?? [])) mustBeGranted(context, asked, 'list');
    const page = await listRecords(context, definition, request.query);
    reply.header('Content-Range', rangeOf(resource, page));
    return { data: page.records };
  });
}
