import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { exportTypes } from '../exports/export-types';
import type { Upload } from '../files/upload';
import { NotFound, Unavailable } from '../errors/errors';
import { readBody } from '../http/read-body';
import { fileLimit } from '../http/sizes';
import { contextOf } from '../http/resource-routes';
import type { Program } from '../program';
import { importCalls } from './calls';
import { failedFile } from './failed-file';
import { checkFile, openFile, storeFile, type ImportLog } from './import-file';
import { readImport } from './import-request';
import { rememberMapping } from './mappings';
import { previewOf } from './preview';
import { UnreadableFile } from './reading/sheet-file';
import { sampleFile } from './sample';

/** The types under which files are kept, by what they turned out to be. */
const types = { xlsx: exportTypes.xlsx, xls: 'application/vnd.ms-excel', csv: 'text/csv' } as const;

/** What an import needs of the history that it is written to. */
export interface ImportHistory {
  /** Its resource: who may create there may import. */
  readonly resource: string;
  begin(
    context: RequestContext,
    type: string,
    company: number | null,
    file: { upload: Upload; mime: string; total: number },
  ): Promise<ImportLog>;
}

/** Imports hold connections and memory. */
const mostAtOnce = 4;

type OnType = { Params: { type: string }; Querystring: Record<string, unknown> };

/** `POST {type}/import`, with `?preview=1` nothing is stored; `GET {history}/{type}/download-sample`. */
export function registerImportRoutes(api: FastifyInstance, program: Program, history: ImportHistory): void {
  const calls = importCalls(history.resource);
  let running = 0;

  const importFile = { config: { ...calls.importFile.config, once: true, forms: true } };
  api.post<OnType>('/:type/import', importFile, async (request, reply) => {
    const context = await contextOf(program, request);
    const definition = importable(context, request.params.type);
    mustBeGranted(context, context.registry.need(history.resource), 'create');
    mustBeGranted(context, definition, 'create');
    if (running >= mostAtOnce) throw new Unavailable('Other files are being imported. Please try again in a moment.');
    running++;
    try {
      const { values } = await readBody(request, { person: context.actor.id, files: 1, fileSize: fileLimit });
      const asked = await readImport(context, definition, values);
      const opened = await openFile(context, definition, asked);
      if (isPreview(request.query.preview)) {
        return previewOf(asked, opened, await checkFile(context, definition, asked, opened));
      }
      if (!opened.columns.some(({ field }) => field !== null)) {
        throw new UnreadableFile('None of the columns is known. Map at least one of them.');
      }
      const mime = types[opened.file.kind];
      const log = await history.begin(context, definition.name, asked.company, { upload: asked.upload, mime, total: opened.rows.length }); // prettier-ignore
      let failed = opened.rows.length;
      let imported = 0;
      try {
        const failures = await storeFile(context, definition, asked, opened, async (good, bad) => {
          imported = good;
          await log.reached(good, bad);
        });
        failed = failures.length;
        await rememberMapping(program.database, definition.name, asked.company, asked.mapping);
        if (failed === 0) return { success: true, message: 'Imported Successfully', imported };
        const lines = failures.map(({ row, errors }) => ({ row, messages: errors.map(({ message }) => message) }));
        const file = await failedFile(definition.labels.many, opened.columns, lines);
        reply.header('X-Imported', String(imported)).header('X-Failed', String(failed));
        return sendFile(reply, `failed_imports_${definition.name}.xlsx`, file);
      } finally {
        await log.ended(imported, failed);
      }
    } catch (error) {
      return refuseFile(reply, error);
    } finally {
      running--;
    }
  });

  api.get<OnType>(`/${history.resource}/:type/download-sample`, calls.downloadSample, async (request, reply) => {
    const context = await contextOf(program, request);
    const definition = importable(context, request.params.type);
    mustBeGranted(context, definition, 'create');
    try {
      const file = await sampleFile(context, definition, request.query);
      return sendFile(reply, `sample_${definition.name}_import.xlsx`, file);
    } catch (error) {
      return refuseFile(reply, error);
    }
  });
}

/** What is wrong with a file, or with what was sent with it, is told in words of imports. Throws any other error. */
function refuseFile(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof UnreadableFile)) throw error;
  return reply.code(422).send({ success: false, message: error.message });
}

function importable({ registry }: RequestContext, name: string): Definition {
  const definition = registry.get(name);
  if (!definition?.import) throw new NotFound();
  return definition;
}

function isPreview(value: unknown): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}

function sendFile(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .type(exportTypes.xlsx)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(Buffer.from(bytes));
}
