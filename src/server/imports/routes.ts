import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { Conflict, NotFound, Unavailable } from '../errors/errors';
import { exportTypes } from '../exports/export-types';
import { readBody } from '../http/read-body';
import { once } from '../idempotency/once';
import type { Body } from '../records/input';
import { fileLimit } from '../http/sizes';
import { contextOf } from '../http/resource-routes';
import type { Program } from '../program';
import { sendOutcome } from './answer';
import { importCalls } from './calls';
import { checkFile, openFile } from './import-file';
import type { ImportHistory } from './import-history';
import { readImport, type ImportRequest } from './import-request';
import { fingerprintOf, repeatQuestion, startImport } from './start-import';
import { previewOf } from './preview';
import { UnreadableFile } from './reading/sheet-file';
import { sampleFile } from './sample';

/** Timeout of a preview in milliseconds, waiting included. */
const patience = 30_000;

type OnType = { Params: { type: string }; Querystring: Record<string, unknown> };

/** `POST {type}/import`, which saves nothing with `?preview=1`; `GET {history}/{type}/download-sample`. */
export function registerImportRoutes(api: FastifyInstance, program: Program, history: ImportHistory): void {
  const calls = importCalls(history.resource);

  const importFile = { config: { ...calls.importFile.config, once: true, forms: true } };
  api.post<OnType>('/:type/import', importFile, async (request, reply) => {
    const context = await contextOf(program, request);
    const definition = importable(context, request.params.type);
    mustBeGranted(context, context.registry.need(history.resource), 'create');
    mustBeGranted(context, definition, 'create');
    try {
      const { id: person, site_id: company } = context.actor;
      const body = await readBody(request, { person, company, files: 1, fileSize: fileLimit, waits: true });
      const { values } = body;
      const asked = await readImport(context, definition, values);
      if (isSet(request.query.preview)) return await preview(context, definition, asked);
      return await begin(context, definition, asked, body, request, reply);
    } catch (error) {
      return refuseFile(reply, error);
    }
  });

  api.get<OnType>(`/${history.resource}/:type/download-sample`, calls.downloadSample, async (request, reply) => {
    const context = await contextOf(program, request);
    const definition = importable(context, request.params.type);
    mustBeGranted(context, definition, 'create');
    try {
      const file = await sampleFile(context, definition, request.query);
      return reply
        .type(exportTypes.xlsx)
        .header('Content-Disposition', `attachment; filename="sample_${definition.name}_import.xlsx"`)
        .send(Buffer.from(file));
    } catch (error) {
      return refuseFile(reply, error);
    }
  });

  async function preview(context: RequestContext, definition: Definition, asked: ImportRequest) {
    const content = async () => asked.upload.bytes();
    const opened = await openFile(
      context,
      definition,
      { ...asked, name: asked.upload.name },
      content,
      AbortSignal.timeout(patience),
    );
    if (!opened) throw new Unavailable('Other files are being read. Please try again in a moment.');
    try {
      const checked = await checkFile(context, definition, asked, opened);
      const previous = await history.previous(context, definition.name, await fingerprintOf(definition, asked));
      return { ...previewOf(definition, asked, opened, checked), previous: previous ?? null };
    } finally {
      await opened.close();
    }
  }

  async function begin(
    context: RequestContext,
    definition: Definition,
    asked: ImportRequest,
    body: Body,
    request: FastifyRequest<OnType>,
    reply: FastifyReply,
  ) {
    const again = isSet(request.query.again ?? body.values.again);
    const asJob =
      /application\/json\s*;[^,]*\bjobs=1\b/i.test(request.headers.accept ?? '') && !isSet(request.query.wait);
    const fingerprint = await fingerprintOf(definition, asked);
    // The key is stored with the job: repeating the call follows the same job.
    const started = await once(context, request, reply, body, async (within) => {
      const previous = again ? undefined : await history.previous(within, definition.name, fingerprint);
      // A client that waits for the response knows of a successful import, and may repeat it on purpose; but not of an
      // interrupted one.
      if (previous && (asJob || previous.state !== 'done')) {
        throw new Conflict(repeatQuestion(definition, previous, within.timeZone), 'CONFLICT_REPEATED');
      }
      reply.code(202);
      return { data: { job: (await startImport(within, history, definition, asked, fingerprint)).id } };
    });
    if (asJob) return started;
    const { data } = (typeof started === 'string' ? JSON.parse(started) : started) as { data: { job: number } };
    return sendOutcome(reply.code(200), program, definition, await program.jobs.ended(data.job));
  }
}

/** Sends errors of the file or its options in the format of imports. Rethrows any other error. */
function refuseFile(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof UnreadableFile)) throw error;
  const { message, sheets } = error;
  return reply.code(422).send({ success: false, message, ...(sheets.length > 0 && { sheets }) });
}

function importable({ registry }: RequestContext, name: string): Definition {
  const definition = registry.get(name);
  if (!definition?.import) throw new NotFound();
  return definition;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
