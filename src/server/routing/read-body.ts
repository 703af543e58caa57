import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { BadRequest, TooLarge, TooManyRequests, UnsupportedMediaType } from '../errors/errors';
import { fileFields } from '../records/record-files';
import type { TemporaryFiles } from '../files/temporary-files';
import { SlotLimiter } from '../limits/slot-limiter';
import { receiveForm, type Form, type FormLimits } from './receive-form';
import { maxFileSize } from '../limits/size-limits';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also accepts `multipart/form-data`; the handler passes the limits to `readBody`. */
    forms?: boolean;
  }
  interface FastifyInstance {
    temporaryFiles: TemporaryFiles;
    formPlaces: { readonly ofPeople: SlotLimiter; readonly ofCompanies: SlotLimiter };
  }
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
/** Maximum number of fields of a JSON object. */
const maxJsonFields = 1_000;

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
  app.decorate('formPlaces', {
    ofPeople: new SlotLimiter(maxFormsPerUser),
    ofCompanies: new SlotLimiter(maxFormsPerCompany),
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, (error, value) => done(error ?? tooManyFieldsError(value), value));
  });
  // A form is not read before its handler knows who sends it and what they may send.
  app.addContentTypeParser('multipart/form-data', (request, body, done) => {
    if (!request.routeOptions.config.forms) return done(jsonOnlyError());
    bodies.set(request, body);
    done(null, undefined);
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

/** The limits of a record's form: as many files as the definition has file fields. */
export function recordFormPermission(actor: Actor, definition: Definition): FormPermission {
  return {
    person: realUser(actor).id,
    company: realUser(actor).site_id,
    files: fileFields(definition).length,
    fileSize: maxFileSize,
  };
}

/**
 * Reads the values of a record: a JSON object, or the texts and files of a form. Call it only once the caller is
 * authenticated and authorized. Throws BadRequest, TooLarge, TooManyRequests, and UnsupportedMediaType for a form where none is
 * accepted.
 */
export async function readBody(
  request: FastifyRequest,
  access?: FormPermission,
): Promise<{ values: Record<string, unknown>; text: boolean }> {
  const body = bodies.get(request);
  if (body) {
    if (!access || access.files === 0) throw jsonOnlyError();
    const form = forms.get(request) ?? readForm(request, body, access);
    forms.set(request, form);
    const { values } = await form;
    if (!access.isDeferred) await request.formHasArrived?.();
    return { values: { ...values }, text: true };
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
    return await receiveForm(body, request.headers, access, temporaryFiles);
  } finally {
    leaveCompany?.();
    leave();
  }
}

async function discardForm(request: FastifyRequest): Promise<void> {
  const form = await forms.get(request)?.catch(() => undefined);
  await Promise.allSettled((form?.uploads ?? []).map((upload) => upload.deleteFile()));
}

/** Every unknown field is reported in the response, which would take long for very many. */
function tooManyFieldsError(value: unknown): TooLarge | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (Object.keys(value).length <= maxJsonFields) return null;
  return new TooLarge(`A body must have at most ${maxJsonFields.toLocaleString('en')} fields.`);
}

const jsonOnlyError = () => new UnsupportedMediaType('This content type is not supported. Send application/json.');
