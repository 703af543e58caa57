import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Upload } from '../files/upload';
import { BadRequest, HttpError } from '../errors/errors';

/** What a request may carry at most, in bytes. */
export const bodyLimit = 5 * 1024 * 1024;

/** JSON (an empty body is none), and forms with values as text. */
export async function registerBodies(app: FastifyInstance): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, done);
  });
  await app.register(multipart, {
    limits: { fieldSize: bodyLimit, fields: 500, files: 10, parts: 500, fileSize: bodyLimit, headerPairs: 50 },
  });
}

/** A form is a stream: whoever begins anew finds it read. */
const forms = new WeakMap<FastifyRequest, Promise<Record<string, unknown>>>();

/** The values of a record as they were sent: a JSON object, or the text parts and the files of a form. */
export async function readBody(request: FastifyRequest): Promise<{ values: Record<string, unknown>; text: boolean }> {
  if (request.isMultipart()) {
    const form = forms.get(request) ?? readParts(request);
    forms.set(request, form);
    return { values: { ...(await form) }, text: true };
  }
  const { body } = request;
  if (body === undefined || body === null) return { values: {}, text: false };
  if (typeof body !== 'object' || Array.isArray(body)) throw new BadRequest('The body must be a JSON object.');
  return { values: body as Record<string, unknown>, text: false };
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') values[part.fieldname] = part.value;
      else {
        const bytes = await part.toBuffer();
        // A form sends an empty file for an input that was left alone.
        if (bytes.length > 0 || part.filename) values[part.fieldname] = new Upload(part.filename ?? '', bytes);
      }
    }
  } catch (error) {
    // Limits have codes of their own; what the parser stumbles over has none.
    if (error instanceof HttpError || (error as { code?: string }).code) throw error;
    throw new BadRequest('The form cannot be read: it is broken, or ends too early.');
  }
  return values;
}
