import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseProblem } from '../database/database-errors';
import {
  BadRequest,
  HttpError,
  Invalid,
  ManyRefused,
  NotFound,
  Taken,
  TooLarge,
  TooManyRequests,
  Unavailable,
  UnsupportedMediaType,
} from '../errors/errors';
import { setRequestIdHeader, requestLogFields } from '../requests/track-requests';
import { hasBody } from '../routing/read-body';
import { drainRequest } from '../routing/drain-request';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler saves everything in one transaction or one statement, after which nothing can fail. */
    atomic?: boolean;
  }
}

/**
 * Sends every error as `{message, code}` (and `errors` by field), with a message for the user; errors of the program
 * and the database are logged. The message says that nothing was changed only if one transaction does all the work of
 * the call.
 */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const request_id = setRequestIdHeader(request, reply);
  const httpError = toHttpError(await explain(error, request), request);
  if (!httpError) {
    request.log.error({ err: error, ...requestLogFields(request) }, 'A request failed');
    const advice = isReadRequest(request)
      ? 'Please try again.'
      : 'Your change may or may not have been saved: reload and check before you try again.';
    const message = `Something went wrong on our side. ${advice} If you report this, include the request ID ${request_id}.`;
    return reply.code(500).send({ message, code: 'INTERNAL', request_id });
  }
  // Many clients that get an error while they are still sending never read the response.
  if (hasBody(request)) await drainRequest(request.raw);
  // A client that sends even more than that is disconnected.
  if (hasBody(request) && request.raw.complete === false) reply.header('connection', 'close');
  const errors = httpError instanceof Invalid || httpError instanceof ManyRefused ? { errors: httpError.errors } : {};
  return reply
    .code(httpError.status)
    .headers(httpError.headers)
    .send({
      message: httpError.message,
      code: httpError.code,
      ...errors,
      ...(httpError.status >= 500 && { request_id }),
    });
}

/** The error with what can be found out of it only once its transaction has ended. */
async function explain(error: unknown, request: FastifyRequest): Promise<unknown> {
  if (!(error instanceof Taken)) return error;
  try {
    return await error.explained();
  } catch (fault) {
    request.log.warn({ err: fault, ...requestLogFields(request) }, 'A refusal could not be explained');
    return error;
  }
}

/** Responds to an unknown path. */
export function respondNotFound(): never {
  throw new NotFound();
}

function isReadRequest({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function toHttpError(error: unknown, request: FastifyRequest): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const fault = databaseProblem(error);
  if (fault) {
    request.log.warn({ err: error, ...requestLogFields(request) }, fault.message);
    const isAtomic = !isReadRequest(request) && request.routeOptions.config?.atomic;
    const outcome = isAtomic ? 'Nothing was changed; please' : 'Please';
    return new Unavailable(`${fault.message} ${outcome} try again in a moment.`, 'UNAVAILABLE', fault.retryAfter);
  }
  const { code = '', statusCode } = error as Partial<FastifyError>;
  return httpErrorByCode(code) ?? httpErrorByStatus(statusCode, code);
}

/** Errors of Fastify, its multipart parser and PostgreSQL that are caused by the caller. */
function httpErrorByCode(code: string): HttpError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new UnsupportedMediaType();
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new BadRequest('The body is not valid JSON.');
    case 'FST_ERR_BAD_URL':
      return new BadRequest('The URL is malformed.');
    case '22021': // a character that the encoding cannot hold
    case '22P05':
      return new BadRequest('The text contains a character that cannot be stored.');
    default:
      return undefined;
  }
}

function httpErrorByStatus(status: number | undefined, code: string): HttpError | undefined {
  if (status === undefined || status < 400 || status >= 500) return undefined;
  if (status === 413) return new TooLarge();
  if (status === 415) return new UnsupportedMediaType();
  if (status === 429) return new TooManyRequests(60);
  return new BadRequest(code === '' ? 'The body is not valid JSON.' : 'The request is malformed.');
}
