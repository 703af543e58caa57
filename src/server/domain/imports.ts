import type { FastifyInstance } from 'fastify';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { contextOf, rangeOf } from '../http/resource-routes';
import { registerImportRoutes } from '../imports/routes';
import type { Program } from '../program';
import { titlesOf } from '../records/history-names';
import { listRecords } from '../records/list';
import { importHistory } from './import-history';

const resource = 'imports';

/**
 * Imports and their history: `GET imports?type`, refused for a type that the caller cannot list; a row rule hides the
 * others.
 */
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
    await nameAsked(context, page.records);
    return { data: page.records };
  });
}

/** Adds the title of the record that each import belongs to: one statement per resource. */
async function nameAsked(context: RequestContext, records: readonly ResourceRecord[]): Promise<void> {
  const byResource = new Map<string, ResourceRecord[]>();
  for (const record of records) {
    record.asked = null;
    if (typeof record.asked_resource !== 'string') continue;
    byResource.set(record.asked_resource, [...(byResource.get(record.asked_resource) ?? []), record]);
  }
  for (const [name, lines] of byResource) {
    const target = context.registry.get(name);
    if (!target) continue;
    const titles = await titlesOf(context, target, [...new Set(lines.map((line) => line.asked_id as number))]);
    for (const line of lines) line.asked = titles.get(line.asked_id as number) ?? null;
  }
}
