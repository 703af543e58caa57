import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { parseId } from '../../engine/field-types/relation';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Program } from '../program';
import { aggregateRecords } from '../aggregates/aggregate-records';
import { countTree } from '../aggregates/count-tree';
import { RecordJson, type RecordResponse, parseRequestedFields, readRecordResponse } from '../records/read/read';
import { listChoices, listFilterChoices } from '../records/choices/choices';
import { countAssignments } from '../records/write/assignments';
import { parsePlacement } from '../records/write/board-places';
import { runBulk } from '../records/write/bulk';
import { createRecord } from '../records/write/create';
import { restoreDeleted } from '../records/write/restore-deleted';
import { restoreVersion } from '../records/history/restore-version';
import { listHistory } from '../records/history/history';
import { listRecordsAsJson, type Page } from '../records/read/list';
import { listSimilar } from '../records/read/similar';
import { countUses } from '../records/read/uses';
import { deleteRecord, deleteWithSuccessor, restoreRecord } from '../records/write/delete';
import { updateRecordResponse } from '../records/write/update';
import { withStoredFiles } from '../records/files/record-files';
import { uploadField, uploadFile } from '../records/files/upload-file';
import { requestContextOf } from '../accounts/session/caller-context';
import { findExport } from '../exports/export-request';
import { printedPage, printPolicy } from '../exports/print-record';
import { sendExport, sendNamedExport } from '../exports/send-export';
import { NotFound } from '../errors/errors';
import { runIdempotent, toReply } from '../idempotency/run-idempotent';
import { contentRange } from '../routing/content-range';
import { checkEnvelope, envelopeOf } from '../routing/envelope';
import { recordFormPermission, readBody } from '../routing/read-body';

type OnResource = { Params: { resource: string }; Querystring: Record<string, unknown> };
type OnRecord = { Params: { resource: string; id: string }; Querystring: Record<string, unknown> };
const definitionReason = 'follows from definitions';
const generated = { config: { undeclared: definitionReason }, preHandler: checkEnvelope } as const;
const formRoute = {
  config: { undeclared: definitionReason, forms: true, atomic: true },
  preHandler: checkEnvelope,
} as const;
const uploadRoute = { config: { undeclared: definitionReason, forms: true } } as const;
type OnUses = { Params: { resource: string; id: string; field: string }; Querystring: Record<string, unknown> };
type OnField = { Params: { resource: string; field: string }; Querystring: Record<string, unknown> };

/** Marks a route that saves everything in one transaction. */
export const atomic = { config: { undeclared: definitionReason, atomic: true }, preHandler: checkEnvelope } as const;

/** Up to a thousand records, each with its rows. */
const bulkRoute = { ...atomic, config: { ...atomic.config, json: { values: 300_000 } } } as const;

/**
 * Answers `POST r`: creates a record of a resource from a request.
 *
 * @example api.post('/deals', (request, reply) => createFromRequest(program, 'deals', request, reply));
 */
export async function createFromRequest(
  program: Program,
  resource: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const context = await requestContextOf(program, request);
  const definition = context.registry.get(resource);
  if (!definition) throw new NotFound();
  assertGranted(context, definition, 'create');
  const body = await readBody(request, recordFormPermission(context.actor, definition));
  reply.code(201);
  return withStoredFiles({ context, definition }, body, 'create', (storedBody) =>
    runIdempotent(context, request, reply, body, async (idempotentContext) =>
      wrapInEnvelope(request, definition, await createRecord(idempotentContext, definition, storedBody)),
    ),
  );
}

/** The generic CRUD routes of all active definitions. */
export function registerResourceRoutes(app: FastifyInstance, program: Program): void {
  app.get<OnResource>('/:resource', generated, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const exportDefinition = findExport(context.registry, request.params.resource);
    if (exportDefinition) return sendExport({ context, definition: exportDefinition }, request.query, reply);
    const definition = context.registry.get(request.params.resource);
    if (!definition) throw new NotFound();
    const { envelope: _, ...query } = request.query;
    const envelope = envelopeOf(request, definition);
    return sendPage(reply, definition, envelope, await listRecordsAsJson(context, definition, query));
  });

  app.post<OnResource>('/:resource', formRoute, (request, reply) =>
    createFromRequest(program, request.params.resource, request, reply),
  );

  app.post<OnResource>('/:resource/bulk', bulkRoute, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const body = await readBody(request);
    return runIdempotent(context, request, reply, body, async (idempotentContext) => ({
      data: await runBulk({ context: idempotentContext, definition }, body.values, request.query),
    }));
  });

  app.post<OnResource>('/:resource/restore', atomic, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const body = await readBody(request);
    return runIdempotent(context, request, reply, body, async (idempotentContext) => ({
      data: await restoreDeleted(idempotentContext, definition, body.values),
    }));
  });

  app.post<OnResource>('/:resource/files', uploadRoute, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const field = uploadField(context, definition, request.query.field);
    const limits = { person: context.actor.id, company: context.actor.site_id, files: 1, fileSize: field.maxBytes };
    const body = await readBody(request, limits);
    reply.code(201);
    return { data: await uploadFile({ context, definition }, field, body) };
  });

  app.get<OnResource>('/:resource/aggregate', generated, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const { envelope: _, ...query } = request.query;
    const page = await aggregateRecords(context, definition, query);
    reply.header('Content-Range', contentRange('groups', page));
    return { data: page.records, ...(page.totals && { totals: page.totals }) };
  });

  app.get<OnResource>('/:resource/tree', generated, async (request) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const { envelope: _, ...query } = request.query;
    return { data: await countTree(context, definition, query) };
  });

  app.get<OnResource>('/:resource/assignments', generated, async (request) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    return { data: await countAssignments(context, definition, request.query.id) };
  });

  app.get<OnResource>('/:resource/choices', generated, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const { field, ...query } = request.query;
    const page =
      field === undefined
        ? await listFilterChoices(context, definition, query)
        : await listChoices({ context, definition }, String(field), query);
    reply.header('Content-Range', contentRange('choices', page));
    return { data: page.records };
  });

  app.get<OnField>('/:resource/choices/:field', generated, async (request, reply) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const page = await listChoices({ context, definition }, request.params.field, request.query);
    reply.header('Content-Range', contentRange('choices', page));
    return { data: page.records };
  });

  app.get<OnField>('/:resource/similar/:field', generated, async (request) => {
    const { context, definition } = resolveResourceRoute(await requestContextOf(program, request), request);
    const { envelope: _, ...query } = request.query;
    return { data: await listSimilar({ context, definition }, request.params.field, query) };
  });

  app.get<OnRecord>('/:resource/:id', generated, async (request, reply) => {
    const caller = await requestContextOf(program, request);
    const exportDefinition = findExport(caller.registry, request.params.resource);
    if (exportDefinition)
      return sendNamedExport(
        { context: caller, definition: exportDefinition },
        request.params.id,
        request.query,
        reply,
      );
    const { context, definition, id } = resolveRecordRoute(caller, request);
    const fields = parseRequestedFields(definition, 'one', request.query.fields);
    return toReply(
      reply,
      wrapInEnvelope(request, definition, await readRecordResponse({ context, definition }, id, fields)),
    );
  });

  app.get<OnRecord>('/:resource/:id/print', generated, async (request, reply) => {
    const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
    const page = await printedPage(context, definition, id);
    return reply.type('text/html; charset=utf-8').header('content-security-policy', printPolicy).send(page);
  });

  app.get<OnUses>('/:resource/:id/uses/:field', generated, async (request) => {
    const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
    return { data: await countUses({ context, definition }, id, request.params.field) };
  });

  app.put<OnRecord>('/:resource/:id', formRoute, async (request, reply) =>
    changeRecord(await requestContextOf(program, request), request, reply),
  );

  app.delete<OnRecord>('/:resource/:id', atomic, async (request, reply) => {
    const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
    const { successor } = request.query;
    return runIdempotent(context, request, reply, undefined, async (idempotentContext) =>
      successor === undefined
        ? wrapInEnvelope(request, definition, await deleteRecord(idempotentContext, definition, id))
        : deleteWithSuccessor({ context: idempotentContext, definition }, id, successor),
    );
  });

  for (const url of ['/:resource/:id/restore', '/:resource/restore/:id']) {
    app.patch<OnRecord>(url, atomic, async (request, reply) => {
      const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
      return runIdempotent(context, request, reply, undefined, async (idempotentContext) =>
        wrapInEnvelope(request, definition, await restoreRecord(idempotentContext, definition, id)),
      );
    });
  }

  app.get<OnRecord>('/:resource/:id/history', generated, async (request, reply) => {
    const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
    const page = await listHistory({ context, definition }, id, request.query);
    reply.header('Content-Range', contentRange('history', page));
    return { data: page.records };
  });

  app.post<OnVersion>('/:resource/:id/history/:version/restore', atomic, async (request, reply) => {
    const { context, definition, id } = resolveRecordRoute(await requestContextOf(program, request), request);
    const version = Number(/^[1-9]\d{0,14}$/.exec(request.params.version)?.[0]);
    if (!version) throw new NotFound();
    assertGranted(context, definition, 'edit');
    const body = await readBody(request);
    return runIdempotent(context, request, reply, body, async (idempotentContext) =>
      wrapInEnvelope(
        request,
        definition,
        await restoreVersion({ context: idempotentContext, definition }, id, version, body),
      ),
    );
  });
}

type OnVersion = { Params: { resource: string; id: string; version: string }; Querystring: Record<string, unknown> };

/** Stores the fields of a body in a record: PUT, and PATCH with the path of a record. */
export async function changeRecord(
  caller: RequestContext,
  request: FastifyRequest<OnRecord>,
  reply: FastifyReply,
): Promise<unknown> {
  const { context, definition, id } = resolveRecordRoute(caller, request);
  assertGranted(context, definition, 'edit');
  const placement = parsePlacement({ context, definition }, request.query);
  const body = await readBody(request, recordFormPermission(context.actor, definition));
  return withStoredFiles({ context, definition }, body, 'update', (storedBody) =>
    runIdempotent(context, request, reply, body, async (idempotentContext) =>
      wrapInEnvelope(
        request,
        definition,
        await updateRecordResponse({ context: idempotentContext, definition }, id, storedBody, placement),
      ),
    ),
  );
}

/** Finds the definition that a path names. Throws NotFound. */
function resolveResourceRoute(
  context: RequestContext,
  { params }: FastifyRequest<{ Params: { resource: string } }>,
): { context: RequestContext; definition: Definition } {
  const definition = context.registry.get(params.resource);
  if (!definition) throw new NotFound();
  return { context, definition };
}

/** Same, with the id of a record. Throws NotFound for an invalid id. */
function resolveRecordRoute(context: RequestContext, request: FastifyRequest<OnRecord>) {
  const { definition } = resolveResourceRoute(context, request);
  const id = parseId(request.params.id);
  if (id === undefined) throw new NotFound();
  return { context, definition, id };
}

function sendPage(
  reply: FastifyReply,
  definition: Definition,
  envelope: string | undefined,
  page: Page<string>,
): string {
  const { keys, isEstimate } = page;
  reply.header('Content-Range', contentRange(definition.name, page)).type('application/json; charset=utf-8');
  if (isEstimate) reply.header('X-Total-Estimated', 'true');
  if (keys?.after !== undefined) reply.header('X-After', keys.after);
  if (keys?.before !== undefined) reply.header('X-Before', keys.before);
  const records = `[${page.records.join()}]`;
  if (!envelope) return records;
  const keyProperties = keys
    ? `,"after":${JSON.stringify(keys.after ?? null)},"before":${JSON.stringify(keys.before ?? null)}`
    : '';
  return `{${JSON.stringify(envelope)}:${records}${keyProperties}}`;
}

/** Wraps a record in the envelope of its definition, unless the request declines it. */
export function wrapInEnvelope(request: FastifyRequest, definition: Definition, record: RecordResponse): unknown {
  const envelope = envelopeOf(request, definition);
  if (!envelope) return record;
  if (record instanceof RecordJson) return new RecordJson(`{${JSON.stringify(envelope)}:${record.text}}`);
  return { [envelope]: record };
}
