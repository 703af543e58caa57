import { type Readable, Transform } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type Actor, realUser } from '../../engine/access/actor';
import type { Definition, Field } from '../../engine/definitions/definition';
import { BadRequest, TooLarge, TooManyRequests, UnsupportedMediaType, HttpError } from '../errors/errors';
import { greatestFormSize, isFiles } from '../../engine/field-types/files';
import { fileFields, isFileField } from '../../engine/field-types/stored-files';
import { defaultJsonLimits, type JsonLimits } from '../../engine/values/bounded-json';
import type { TemporaryFiles } from '../files/temporary-files';
import { SlotLimiter } from '../limits/slot-limiter';
import {
  formatByteSize,
  fragmentedMessage,
  isFragmented,
  maxBodySize,
  maxFileSize,
  tooLargeMessage,
  unconfirmedLimits,
  unconfirmedMessage,
} from '../limits/size-limits';
import type { WorkAccount } from '../requests/current-request';
import { countWork } from '../requests/work-time';
import { createBodyMemory, receiveJson, type JsonReception } from './receive-json';
import { unnamedFile, type Upload } from '../files/upload';
import { getOrThrow } from '../../engine/values/lookups';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also accepts `multipart/form-data`; the handler passes the limits to `readBody`. */
    forms?: boolean;
    /** Forms may also be sent with `Content-Encoding: gzip`. */
    packedForms?: boolean;
    /** Higher limits for the JSON of the body, where those of other calls are too low. */
    json?: Partial<JsonLimits>;
  }
  interface FastifyRequest {
    /** Undefined before the caller has been checked. */
    sender?: Sender;
  }
  interface FastifyInstance {
    temporaryFiles: TemporaryFiles;
    formPlaces: { readonly ofPeople: SlotLimiter; readonly ofCompanies: SlotLimiter };
  }
}

/** Who sends a body. */
export interface Sender {
  /** The id of the user, or the address of a visitor. */
  readonly key: number | string;
  /** The registration is not confirmed yet, so its users may send less. */
  readonly isUnconfirmed: boolean;
}

/** Who sends a form, and its limits. */
export interface FormPermission extends FormLimits {
  /** The id of the user. */
  readonly person: number;
  /** The id of their company; null: none. */
  readonly company: number | null;
  /** The form is processed outside of the request, such as by a job: it takes no slot among the running requests. */
  readonly isDeferred?: true;
}

/** Simultaneous forms per user and per company. */
const maxFormsPerUser = 8;
const maxFormsPerCompany = 32;

/**
 * Forms whose body has not been read yet, and forms that were read: a body can be read only once, but a handler may be
 * retried.
 */
const bodies = new WeakMap<FastifyRequest, Readable>();
const forms = new WeakMap<FastifyRequest, Promise<Form>>();

/**
 * Registers the parsers of bodies: JSON (an empty body counts as none), and forms on routes that accept them; every
 * other type is rejected.
 */
export function registerBodyParsers(app: FastifyInstance, temporary: TemporaryFiles): void {
  app.decorate('temporaryFiles', temporary);
  app.decorateRequest('sender');
  app.decorate('formPlaces', {
    ofPeople: new SlotLimiter(maxFormsPerUser),
    ofCompanies: new SlotLimiter(maxFormsPerCompany),
  });
  // Some clients name a content type with every DELETE, whether it has a body or not.
  app.addHook('onRequest', ({ method, headers }, _reply, next) => {
    if (method === 'DELETE' && !hasBody({ headers })) delete headers['content-type'];
    next();
  });
  // Names that would change the prototype of an object are refused.
  const parse = app.getDefaultJsonParser('error', 'error');
  const memory = createBodyMemory();
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', (request, body, callback) => {
    if (!isReadable(request, callback)) return;
    receiveJson(body, receptionOf(request, memory)).then(
      (text) => (text === '' ? callback(null, undefined) : void parse(request, text, callback)),
      callback,
    );
  });
  // A form is not read before its handler knows who sends it and what they may send.
  app.addContentTypeParser('multipart/form-data', (request, body, callback) => {
    const { forms: hasForms, packedForms } = request.routeOptions.config;
    const isPacked = packedForms === true && request.headers['content-encoding'] === 'gzip';
    if (!isPacked && !isReadable(request, callback)) return;
    if (!hasForms) return callback(jsonOnlyError());
    bodies.set(request, isPacked ? unpacked(body) : body);
    callback(null, undefined);
  });
}

/**
 * Deletes the files of a form when its handler has finished, for all routes registered after this call. Call it after
 * everything that retries handlers.
 */
export function discardForms(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (!route.config?.forms) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      try {
        return (await handler.call(this, request, reply)) as unknown;
      } finally {
        await discardForm(request);
      }
    };
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The limits of a record's form: as many files as the fields of the definition take, and as large; with `addedFields`,
 * also as those fields of a record that is added with it.
 *
 * @example const { values } = await readBody(request, recordFormPermission(context.actor, deals));
 */
export function recordFormPermission(
  actor: Actor,
  definition: Definition,
  addedFields: readonly Field[] = [],
): FormPermission {
  const fields = [...fileFields(definition), ...addedFields.filter(isFileField)];
  const lists = fields.filter(isFiles);
  const singleCount = fields.length - lists.length;
  return {
    person: realUser(actor).id,
    company: realUser(actor).site_id,
    files: lists.reduce((sum, { maxItems }) => sum + maxItems, singleCount),
    fileSize: Math.max(...lists.map(({ maxBytes }) => maxBytes), ...(singleCount > 0 ? [maxFileSize] : [])),
    sizes: new Map(lists.map(({ name, maxBytes }) => [name, maxBytes])),
    lists: new Set(lists.map(({ name }) => name)),
  };
}

/**
 * Reads the values of a record: a JSON object, or the texts and files of a form; `uploads` are all its files in their
 * order, also several under one name. Call it only once the caller is authenticated and authorized. Throws BadRequest,
 * TooLarge, TooManyRequests, and UnsupportedMediaType for a form where none is accepted.
 *
 * @example const { values, uploads } = await readBody(request, { person, company, files: 20, fileSize: 1024 * 1024 });
 */
export async function readBody(
  request: FastifyRequest,
  access?: FormPermission,
): Promise<{ values: Record<string, unknown>; text: boolean; uploads?: readonly Upload[] }> {
  const body = bodies.get(request);
  if (body) {
    if (!access || access.files === 0) throw jsonOnlyError();
    const form = forms.get(request) ?? readForm(request, body, access);
    forms.set(request, form);
    const { values, uploads } = await form;
    if (!access.isDeferred) await request.formHasArrived?.();
    return { values: { ...values }, text: true, uploads };
  }
  const { body: json } = request;
  if (json === undefined || json === null) return { values: {}, text: false };
  if (typeof json !== 'object' || Array.isArray(json)) throw new BadRequest('The body must be a JSON object.');
  return { values: json as Record<string, unknown>, text: false };
}

async function readForm(request: FastifyRequest, body: Readable, access: FormPermission): Promise<Form> {
  const { formPlaces, temporaryFiles } = request.server;
  const leave = formPlaces.ofPeople.acquire(access.person);
  if (!leave)
    throw new TooManyRequests(
      5,
      `You are already uploading ${maxFormsPerUser} files. Please wait until one of them is done.`,
    );
  const leaveCompany = formPlaces.ofCompanies.acquire(access.company ?? 0);
  try {
    if (!leaveCompany)
      throw new TooManyRequests(
        5,
        `Your company is already uploading ${maxFormsPerCompany} files. Please wait until some of them are done.`,
      );
    return await receiveForm(body, request.headers, access, temporaryFiles, {
      isUnconfirmed: request.sender?.isUnconfirmed,
      account: request.current?.account,
    });
  } finally {
    leaveCompany?.();
    leave();
  }
}

/** A packed body as it is unpacked; who reads it limits its size. One that ends early ends with an error. */
function unpacked(body: Readable): Readable {
  const decompressed = createGunzip();
  // It is reported to whoever reads the stream.
  pipeline(body, decompressed).catch((error: Error) => decompressed.destroy(error));
  return decompressed.on('error', () => undefined);
}

async function discardForm(request: FastifyRequest): Promise<void> {
  const form = await forms.get(request)?.catch(() => undefined);
  await Promise.allSettled((form?.uploads ?? []).map((upload) => upload.deleteFile()));
}

/** Whether a body is to be read; otherwise it is done: of a path without a route, and of an encoded body. */
function isReadable({ is404, headers }: FastifyRequest, callback: (error: Error | null) => void): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!is404 && encoding === 'identity') return true;
  callback(is404 ? null : new UnsupportedMediaType('Content-Encoding is not supported. Send the body as it is.'));
  return false;
}

function receptionOf(request: FastifyRequest, memory: JsonReception['memory']): JsonReception {
  const { headers, ip, sender = { key: ip, isUnconfirmed: false }, routeOptions, current } = request;
  const routeLimit = routeOptions.bodyLimit ?? maxBodySize;
  const maxBytes = sender.isUnconfirmed ? Math.min(routeLimit, unconfirmedLimits.body) : routeLimit;
  return {
    length: Number(headers['content-length'] ?? NaN),
    most: maxBytes,
    tooLarge: () => new TooLarge(maxBytes < routeLimit ? unconfirmedMessage(maxBytes) : tooLargeMessage(maxBytes)),
    limits: { ...defaultJsonLimits, ...routeOptions.config.json },
    memory,
    sender: sender.key,
    account: current?.account,
  };
}

const jsonOnlyError = () => new UnsupportedMediaType('This content type is not supported. Send application/json.');

/** Limits of a form's files. Its texts are limited like JSON. */
export interface FormLimits {
  readonly files: number;
  /** Maximum bytes of one file. */
  readonly fileSize: number;
  /** Maximum bytes of all files together; default: as many as there can be, each as large as it can be. */
  readonly total?: number;
  /** The same as `fileSize` for files of some names; default for others: `maxFileSize`, if any are here. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** The names whose parts, texts and files, are all kept: their values are lists, in the order of the form. */
  readonly lists?: ReadonlySet<string>;
}

/** A received form: its texts and files by name. */
export interface Form {
  readonly values: Record<string, unknown>;
  readonly uploads: readonly Upload[];
}

const maxFormFields = 500;
/** Maximum size of the names and headers of a form's parts, in bytes, beside the contents of files and texts. */
const maxPartHeaders = 1024 * 1024;

/**
 * Reads a form while it arrives: files go to disk, and the size is limited, of all texts together and of the whole.
 * Throws TooLarge and BadRequest, and then leaves no files behind.
 */
export async function receiveForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  { files, fileSize, total, sizes, lists }: FormLimits,
  temporary: TemporaryFiles,
  { isUnconfirmed, account }: { readonly isUnconfirmed?: boolean; readonly account?: WorkAccount } = {},
): Promise<Form> {
  const requestLimit =
    maxBodySize + (total ?? (lists?.size ? Math.min(files * fileSize, greatestFormSize) : files * fileSize));
  const maxTotal = isUnconfirmed ? Math.min(requestLimit, unconfirmedLimits.form) : requestLimit;
  const tooLarge = new TooLarge(maxTotal < requestLimit ? unconfirmedMessage(maxTotal) : tooLargeMessage(maxTotal));
  if (Number(headers['content-length']) > maxTotal) throw tooLarge;

  const contents: BusboyFileStream[] = [];
  const meter = createSizeMeter((size, pieces) => {
    countWork(account);
    if (isFragmented(pieces, size)) return new TooLarge(fragmentedMessage);
    if (size > maxTotal) return tooLarge;
    const texts = contents.reduce((left, { bytesRead }) => left - bytesRead, size);
    return texts > maxBodySize + maxPartHeaders ? new TooLarge(tooMuchTextMessage) : undefined;
  });
  const parser = createFormParser(headers, files);
  const receiving: Promise<Upload>[] = [];
  const values = Object.create(null) as Record<string, unknown>;
  const parts = new Map<string, (string | Promise<Upload>)[]>([...(lists ?? [])].map((name) => [name, []]));
  const uploads: Upload[] = [];
  let refuse: (error: Error) => void;
  const refusedBody = new Promise<never>((_done, fail) => (refuse = fail));
  const stop = (error: Error) => {
    meter.destroy(error);
    // If the whole body has passed, there is no stream left to destroy, and the parser would wait for its file.
    refuse(error);
  };
  // Errors are reported once, below.
  for (const stream of [meter, parser]) stream.on('error', () => undefined);

  parser.on('field', (name, value, _nameIsCut, isCut) => {
    if (isCut) stop(new TooLarge());
    else if (parts.has(String(name))) getOrThrow(parts, String(name)).push(value);
    else values[String(name)] = value;
  });
  parser.on('file', (name, content, filename) => {
    contents.push(content.on('error', () => undefined));
    const maxBytes = sizes?.get(String(name)) ?? (sizes ? maxFileSize : fileSize);
    const received = temporary.receive(decodeQuotes(filename ?? ''), content, maxBytes);
    receiving.push(received);
    parts.get(String(name))?.push(received);
    received.then((upload) => {
      upload.part = String(name);
      uploads.push(upload);
      // Browsers send an empty file for an input without a selection.
      if ((upload.size > 0 || filename) && !parts.has(String(name))) values[String(name)] = upload;
    }, stop);
  });
  parser.on('filesLimit', () =>
    stop(new TooLarge(`At most ${files} ${files === 1 ? 'file' : 'files'} can be sent at once.`)),
  );
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => stop(new TooLarge(`A form must have at most ${maxFormFields} fields.`)));
  }
  const cutOff = () => body.readableEnded || stop(malformedFormError());
  body.once('close', cutOff).once('error', cutOff);

  try {
    await Promise.race([pipeline(body.pipe(meter), parser), refusedBody]);
    // In the order of the form: a small file may be received before a large one in front of it.
    const uploads = await Promise.all(receiving);
    for (const [name, list] of parts) {
      const read = await Promise.all(list);
      const givenParts = read.filter((part) => typeof part === 'string' || part.size > 0 || part.name !== unnamedFile);
      if (list.length > 0) values[name] = givenParts;
    }
    return { values, uploads };
  } catch (error) {
    body.unpipe(meter);
    const refusal = error instanceof HttpError ? error : malformedFormError();
    for (const content of contents) content.destroy(refusal);
    await Promise.allSettled(receiving);
    await Promise.allSettled(uploads.map((upload) => upload.deleteFile()));
    throw refusal;
  } finally {
    body.off('close', cutOff).off('error', cutOff);
  }
}

const malformedFormError = () => new BadRequest('The form is malformed or incomplete.');

const tooMuchTextMessage = `The texts of a form must have at most ${formatByteSize(maxBodySize)} together.`;

/** Passes a form on, until `check` returns an error for the number of bytes so far and of their pieces. */
function createSizeMeter(check: (size: number, pieces: number) => Error | undefined): Transform {
  let [size, pieces] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      const error = check(size, ++pieces);
      if (error) callback(error);
      else callback(null, chunk);
    },
  });
}

function createFormParser(headers: IncomingHttpHeaders, files: number): BusboyInstance {
  const { 'content-type': contentType } = headers;
  if (contentType === undefined) throw malformedFormError();
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': contentType },
      limits: { fieldSize: maxBodySize, fields: maxFormFields, files, parts: maxFormFields + files, headerPairs: 50 },
    });
  } catch {
    throw malformedFormError();
  }
}

/** Browsers write a quotation mark and line breaks in the name of a file as a URL does, and nothing else. */
const decodeQuotes = (name: string) => name.replaceAll('%22', '"').replace(/%0[AD]/gi, ' ');
