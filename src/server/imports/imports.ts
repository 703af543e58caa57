import type { FastifyInstance } from 'fastify';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { contentRange } from '../routing/content-range';
import { checkEnvelope, envelopeOf } from '../routing/envelope';
import { requestContextOf } from '../accounts/session/caller-context';
import { registerImportRoutes } from './routes';
import type { Program, Hooks } from '../program';
import { loadTitles } from '../records/read/titles';
import { listRecords } from '../records/read/list';
import {
  importHistory,
  addImportFileUrls,
  guardImportRemoval,
  refuseWritingImports,
  removeImportFile,
} from './import-history';

const resource = 'imports';

/**
 * Imports and their history: `GET imports?type`, refused for a type that the caller cannot list; a row rule hides the
 * others.
 */
export function registerImports(api: FastifyInstance, program: Program): void {
  registerImportRoutes(api, program, importHistory);

  const generated = { config: { undeclared: 'follows from definitions' }, preHandler: checkEnvelope } as const;
  api.get<{ Querystring: Record<string, unknown> }>('/imports', generated, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const { registry } = context;
    const definition = registry.getOrThrow(resource);
    const { envelope: _, ...query } = request.query;
    const { type } = query;
    const typeNames = [type].flat().flatMap((names) => (typeof names === 'string' ? names.split(',') : []));
    for (const definition of typeNames.flatMap((name) => registry.get(name) ?? []))
      assertGranted(context, definition, 'list');
    const page = await listRecords(context, definition, query);
    reply.header('Content-Range', contentRange(resource, page));
    await addContextTitles(context, page.records);
    return envelopeOf(request, definition) ? { data: page.records } : page.records;
  });
}

/** Adds the title of the record that each import belongs to: one statement per resource. */
async function addContextTitles(context: RequestContext, records: readonly ResourceRecord[]): Promise<void> {
  const byResource = new Map<string, ResourceRecord[]>();
  for (const record of records) {
    record.asked = null;
    if (typeof record.asked_resource !== 'string') continue;
    byResource.set(record.asked_resource, [...(byResource.get(record.asked_resource) ?? []), record]);
  }
  for (const [name, lines] of byResource) {
    const target = context.registry.get(name);
    if (!target) continue;
    const titles = await loadTitles({ context, definition: target }, [
      ...new Set(lines.map((line) => line.asked_id as number)),
    ]);
    for (const line of lines) line.asked = titles.get(line.asked_id as number) ?? null;
  }
}

/** The hooks that the definition of past imports names. */
export const importHooks: Hooks = {
  refuseWritingImports,
  guardImportRemoval,
  addressImportFiles: addImportFileUrls,
  dropImportFile: removeImportFile,
};
