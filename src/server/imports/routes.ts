import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { Conflict, NotFound, Unavailable } from '../errors/errors';
import { exportTypes } from '../exports/export-types';
import { typedApi } from '../routing/define-call';
import { readBody } from '../routing/read-body';
import { runIdempotent } from '../idempotency/run-idempotent';
import type { Body } from '../records/write/input';
import { maxFileSize } from '../limits/size-limits';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { sendOutcome, importFingerprint, repeatQuestion, startImport } from './start-import';
import { importCalls, type ImportFileRequest } from './calls';
import { checkFile, openFile } from './import-file';
import type { ImportHistory } from './import-history';
import { parseImportRequest, type ImportRequest } from './import-request';
import { buildPreview } from './preview';
import { UnreadableFile } from './reading/sheet-file';
import { createSampleFile } from './sample';

/** Timeout of a preview in milliseconds, waiting included. */
const previewTimeout = 30_000;

/** `POST {type}/import`, which saves nothing with `?preview=1`; `GET {history}/{type}/download-sample`. */
export function registerImportRoutes(api: FastifyInstance, program: Program, history: ImportHistory): void {
  const imports = typedApi(api);
  const calls = importCalls(history.resource);

  imports.post('/:type/import', calls.importFile, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const definition = findImportable(context, request.params.type);
    assertGranted(context, definition, 'create');
    try {
      const { id: person, site_id: company } = context.actor;
      const body = await readBody(request, { person, company, files: 1, fileSize: maxFileSize, isDeferred: true });
      const { values } = body;
      const importRequest = await parseImportRequest(context, definition, values);
      if (isTruthyParameter(request.query.preview)) return await preview(context, definition, importRequest);
      return await begin(context, definition, importRequest, body, request, reply);
    } catch (error) {
      return sendFileError(reply, error);
    }
  });

  imports.get(`/${history.resource}/:type/download-sample`, calls.downloadSample, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const definition = findImportable(context, request.params.type);
    assertGranted(context, definition, 'create');
    try {
      const file = await createSampleFile(context, definition, { ...request.query });
      return reply
        .type(exportTypes.xlsx)
        .header('Content-Disposition', `attachment; filename="sample_${definition.name}_import.xlsx"`)
        .send(Buffer.from(file));
    } catch (error) {
      return sendFileError(reply, error);
    }
  });

  async function preview(context: RequestContext, definition: Definition, importRequest: ImportRequest) {
    const content = async () => importRequest.upload.bytes();
    const openedFile = await openFile(
      { context, definition },
      { ...importRequest, name: importRequest.upload.name },
      content,
      AbortSignal.timeout(previewTimeout),
    );
    if (!openedFile) throw new Unavailable('Other files are being read. Please try again in a moment.');
    try {
      const checked = await checkFile({ context, definition }, importRequest, openedFile);
      const previous = await history.findPrevious(
        context,
        definition.name,
        await importFingerprint(definition, importRequest),
      );
      return { ...buildPreview(definition, importRequest, openedFile, checked, context), previous: previous ?? null };
    } finally {
      await openedFile.close();
    }
  }

  async function begin(
    context: RequestContext,
    definition: Definition,
    importRequest: ImportRequest,
    body: Body,
    request: ImportFileRequest,
    reply: FastifyReply,
  ) {
    const isRepeat = isTruthyParameter(request.query.again ?? body.values.again);
    const asJob =
      /application\/json\s*;[^,]*\bjobs=1\b/i.test(request.headers.accept ?? '') &&
      !isTruthyParameter(request.query.wait);
    const fingerprint = await importFingerprint(definition, importRequest);
    // The key is stored with the job: repeating the call follows the same job.
    const startedImport = await runIdempotent(context, request, reply, body, async (idempotentContext) => {
      const previous = isRepeat
        ? undefined
        : await history.findPrevious(idempotentContext, definition.name, fingerprint);
      // A client that waits for the response knows of a successful import, and may repeat it on purpose; but not of an
      // interrupted one.
      if (previous && (asJob || previous.state !== 'done')) {
        throw new Conflict(repeatQuestion(definition, previous, idempotentContext.timeZone), 'CONFLICT_REPEATED');
      }
      reply.code(202);
      return {
        data: {
          job: (await startImport({ context: idempotentContext, definition }, history, importRequest, fingerprint)).id,
        },
      };
    });
    if (asJob) return startedImport;
    const { data } = (typeof startedImport === 'string' ? JSON.parse(startedImport) : startedImport) as {
      data: { job: number };
    };
    return sendOutcome(reply.code(200), program, definition, await program.jobs.waitForEnd(data.job));
  }
}

/** Sends errors of the file or its options in the format of imports. Rethrows any other error. */
function sendFileError(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof UnreadableFile)) throw error;
  const { message, sheets } = error;
  return reply.code(422).send({ success: false, message, ...(sheets.length > 0 && { sheets }) });
}

function findImportable({ registry }: RequestContext, name: string): Definition {
  const definition = registry.get(name);
  if (!definition?.import) throw new NotFound();
  return definition;
}

function isTruthyParameter(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
