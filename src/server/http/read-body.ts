import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { personOf } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { BadRequest, TooLarge, TooMany, UnsupportedType } from '../errors/errors';
import { fileFields } from '../files/record-files';
import type { TemporaryFiles } from '../files/temporary';
import { Places } from '../limits/places';
import { receiveForm, type Form, type FormLimits } from './receive-form';
import { fileLimit } from './sizes';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes `multipart/form-data` too: its handler says what of it (`readBody` with a `FormAccess`). */
    forms?: boolean;
  }
  interface FastifyInstance {
    temporaryFiles: TemporaryFiles;
    formPlaces: { readonly ofPeople: Places; readonly ofCompanies: Places };
  }
}

/** Who sends a form, and what it may carry. */
export interface FormAccess extends FormLimits {
  /** The id of the person. */
  readonly person: number;
  /** The id of their company; null: of none. */
  readonly company: number | null;
  /** What is done with it waits for work outside of calls, such as a job: it takes no place among the calls. */
  readonly waits?: true;
}

/** Forms that one person may send at a time, and all people of a company. */
const mostAtOnce = 8;
const mostOfCompany = 32;
/** Fields of a JSON object. */
const mostFields = 1_000;

/** Forms whose bodies wait to be read, and those that were read: a body can be read once, a handler may run again. */
const bodies = new WeakMap<FastifyRequest, Readable>();
const forms = new WeakMap<FastifyRequest, Promise<Form>>();

/** JSON (an empty body is none), and forms on the routes that say so; every other type is refused. */
export function registerBodies(app: FastifyInstance, temporary: TemporaryFiles): void {
  app.decorate('temporaryFiles', temporary);
  app.decorate('formPlaces', { ofPeople: new Places(mostAtOnce), ofCompanies: new Places(mostOfCompany) });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, (error, value) => done(error ?? ofTooManyFields(value), value));
  });
  // Nothing of a form is read before its handler knows who sends it, and what they may send.
  app.addContentTypeParser('multipart/form-data', (request, body, done) => {
    if (!request.routeOptions.config.forms) return done(jsonOnly());
    bodies.set(request, body);
    done(null, undefined);
  });
}

/**
 * Keeps the files of a form on the disk for as long as its handler runs: of routes that are registered from now on. To be
 * called after whatever lets handlers run again.
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

/** The form of those who may store a record, where the definition has fields for files. */
export function formOf(actor: Actor, definition: Definition): FormAccess {
  return {
    person: personOf(actor).id,
    company: personOf(actor).site_id,
    files: fileFields(definition).length,
    fileSize: fileLimit,
  };
}

/**
 * The values of a record as they were sent: a JSON object, or the texts and files of a form. To be called once the caller
 * is known and granted. Throws BadRequest, TooLarge, TooMany, and UnsupportedType for a form where none is taken.
 */
export async function readBody(
  request: FastifyRequest,
  access?: FormAccess,
): Promise<{ values: Record<string, unknown>; text: boolean }> {
  const body = bodies.get(request);
  if (body) {
    if (!access || access.files === 0) throw jsonOnly();
    const form = forms.get(request) ?? readForm(request, body, access);
    forms.set(request, form);
    const { values } = await form;
    if (!access.waits) await request.formHasArrived?.();
    return { values: { ...values }, text: true };
  }
  const { body: json } = request;
  if (json === undefined || json === null) return { values: {}, text: false };
  if (typeof json !== 'object' || Array.isArray(json)) throw new BadRequest('The body must be a JSON object.');
  return { values: json as Record<string, unknown>, text: false };
}

async function readForm(request: FastifyRequest, body: Readable, access: FormAccess): Promise<Form> {
  const { formPlaces, temporaryFiles } = request.server;
  const leave = formPlaces.ofPeople.enter(access.person);
  if (!leave)
    throw new TooMany(5, `You are sending ${mostAtOnce} files already. Please wait until one of them has arrived.`);
  const leaveCompany = formPlaces.ofCompanies.enter(access.company ?? 0);
  try {
    if (!leaveCompany)
      throw new TooMany(
        5,
        `Your company is sending ${mostOfCompany} files already. Please wait until some of them have arrived.`,
      );
    return await receiveForm(body, request.headers, access, temporaryFiles);
  } finally {
    leaveCompany?.();
    leave();
  }
}

async function discardForm(request: FastifyRequest): Promise<void> {
  const form = await forms.get(request)?.catch(() => undefined);
  await Promise.allSettled((form?.uploads ?? []).map((upload) => upload.discard()));
}

/** Each field that is not known is told: so many of them that nobody has meant it would take long. */
function ofTooManyFields(value: unknown): TooLarge | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (Object.keys(value).length <= mostFields) return null;
  return new TooLarge(`A body may have at most ${mostFields.toLocaleString('en')} fields.`);
}

const jsonOnly = () => new UnsupportedType('This type of content is not read here. Send application/json.');
