import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { readId } from '../../engine/field-types/relation';
import { mustBeGranted } from '../access/reach';
import { RequestContext } from '../access/request-context';
import type { Program } from '../program';
import { RecordText, type Answered } from '../records/answers';
import { readAsked } from '../records/asked-fields';
import { listChoices, listOffered } from '../records/choices';
import { createRecord } from '../records/create';
import { listHistory } from '../records/history';
import { listTexts, type Page } from '../records/list';
import { readAnswered } from '../records/read';
import { removeRecord } from '../records/remove';
import { restoreRecord } from '../records/restore';
import { updateAnswered } from '../records/update';
import { withFiles } from '../records/with-files';
import { authenticate } from '../session/authenticate';
import { isKnownZone } from '../access/clock';
import { exportedAt } from '../exports/export-request';
import { sendExport } from '../exports/send-export';
import { BadRequest, NotFound } from '../errors/errors';
import { once, sendAnswer } from '../idempotency/once';
import { formOf, readBody } from './read-body';

type OnResource = { Params: { resource: string }; Querystring: Record<string, unknown> };
type OnRecord = { Params: { resource: string; id: string }; Querystring: Record<string, unknown> };
const forms = { config: { forms: true, atomic: true } };
type OnField = { Params: { resource: string; field: string }; Querystring: Record<string, unknown> };

/** Marks a route that saves everything in one transaction. */
export const atomic = { config: { atomic: true } };

/** The generic CRUD routes of all active definitions. */
export function registerResourceRoutes(app: FastifyInstance, program: Program): void {
  app.get<OnResource>('/:resource', async (request, reply) => {
    const context = await contextOf(program, request);
    const exported = exportedAt(context.registry, request.params.resource);
    if (exported) return sendExport(context, exported, request.query, reply);
    const definition = context.registry.get(request.params.resource);
    if (!definition) throw new NotFound();
    return sendPage(reply, definition, await listTexts(context, definition, request.query));
  });

  app.post<OnResource>('/:resource', forms, async (request, reply) => {
    const { context, definition } = asked(await contextOf(program, request), request);
    mustBeGranted(context, definition, 'create');
    const body = await readBody(request, formOf(context.actor, definition));
    reply.code(201);
    return withFiles(context, definition, body, 'create', (ready) =>
      once(context, request, reply, body, async (within) =>
        wrap(definition, await createRecord(within, definition, ready)),
      ),
    );
  });

  app.get<OnResource>('/:resource/choices', async (request, reply) => {
    const { context, definition } = asked(await contextOf(program, request), request);
    const page = await listOffered(context, definition, request.query);
    reply.header('Content-Range', rangeOf('choices', page));
    return { data: page.records };
  });

  app.get<OnField>('/:resource/choices/:field', async (request, reply) => {
    const { context, definition } = asked(await contextOf(program, request), request);
    const page = await listChoices(context, definition, request.params.field, request.query);
    reply.header('Content-Range', rangeOf('choices', page));
    return { data: page.records };
  });

  app.get<OnRecord>('/:resource/:id', async (request, reply) => {
    const { context, definition, id } = askedOne(await contextOf(program, request), request);
    const fields = readAsked(definition, 'one', request.query.fields);
    return sendAnswer(reply, wrap(definition, await readAnswered(context, definition, id, fields)));
  });

  app.put<OnRecord>('/:resource/:id', forms, async (request, reply) => {
    const { context, definition, id } = askedOne(await contextOf(program, request), request);
    mustBeGranted(context, definition, 'edit');
    const body = await readBody(request, formOf(context.actor, definition));
    return withFiles(context, definition, body, 'update', (ready) =>
      once(context, request, reply, body, async (within) =>
        wrap(definition, await updateAnswered(within, definition, id, ready)),
      ),
    );
  });

  app.delete<OnRecord>('/:resource/:id', atomic, async (request, reply) => {
    const { context, definition, id } = askedOne(await contextOf(program, request), request);
    return once(context, request, reply, undefined, async (within) =>
      wrap(definition, await removeRecord(within, definition, id)),
    );
  });

  app.patch<OnRecord>('/:resource/restore/:id', atomic, async (request, reply) => {
    const { context, definition, id } = askedOne(await contextOf(program, request), request);
    return once(context, request, reply, undefined, async (within) =>
      wrap(definition, await restoreRecord(within, definition, id)),
    );
  });

  app.get<OnRecord>('/:resource/:id/history', async (request, reply) => {
    const { context, definition, id } = askedOne(await contextOf(program, request), request);
    const page = await listHistory(context, definition, id, request.query);
    reply.header('Content-Range', rangeOf('history', page));
    return { data: page.records };
  });
}

/** Finds the definition that a path names. Throws NotFound. */
function asked(
  context: RequestContext,
  { params }: FastifyRequest<{ Params: { resource: string } }>,
): { context: RequestContext; definition: Definition } {
  const definition = context.registry.get(params.resource);
  if (!definition) throw new NotFound();
  return { context, definition };
}

/** Same, with the id of a record. Throws NotFound for an invalid id. */
function askedOne(context: RequestContext, request: FastifyRequest<OnRecord>) {
  const { definition } = asked(context, request);
  const id = readId(request.params.id);
  if (id === undefined) throw new NotFound();
  return { context, definition, id };
}

/**
 * The context of a request: its caller, and the time zone of `X-Timezone`. Throws Unauthenticated, and BadRequest for
 * an unknown zone.
 */
export async function contextOf(program: Program, request: FastifyRequest): Promise<RequestContext> {
  const actor = await authenticate(program, request);
  const zone = request.headers['x-timezone'];
  if (zone === undefined) return new RequestContext(program, actor);
  if (typeof zone !== 'string' || !isKnownZone(zone))
    throw new BadRequest('X-Timezone must be a time zone such as Europe/Berlin.');
  return new RequestContext(program, actor, zone);
}

function sendPage(reply: FastifyReply, definition: Definition, page: Page<string>): string {
  reply.header('Content-Range', rangeOf(definition.name, page)).type('application/json; charset=utf-8');
  const records = `[${page.records.join()}]`;
  return definition.envelope ? `{${JSON.stringify(definition.envelope)}:${records}}` : records;
}

/** The `Content-Range` of a page, as in `clients 0-14/1234`; an empty page has no range. */
export function rangeOf(name: string, { records, offset, total }: Page<unknown>): string {
  return records.length === 0 ? `${name} */${total}` : `${name} ${offset}-${offset + records.length - 1}/${total}`;
}

/** Wraps a record in the envelope of its definition. */
export function wrap(definition: Definition, record: Answered): unknown {
  if (record instanceof RecordText && definition.envelope)
    return new RecordText(`{${JSON.stringify(definition.envelope)}:${record.text}}`);
  return definition.envelope ? { [definition.envelope]: record } : record;
}
