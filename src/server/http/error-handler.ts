import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseFault } from '../database/faults';
import {
  BadRequest,
  HttpError,
  Invalid,
  NotFound,
  TooLarge,
  TooMany,
  Unavailable,
  UnsupportedType,
} from '../errors/errors';
import { answerId, requestFacts } from '../requests/follow-requests';
import { hasBody } from './admit';
import { bodyLimit, tooLargeMessage } from './sizes';
import { swallow } from './swallow';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whatever the call stores is stored in one transaction, or one statement, after which nothing can fail. */
    atomic?: boolean;
  }
}

/**
 * Every error as `{message, code}` (and `errors` by field), in words for the user; faults of the program and of the
 * database go to the log. That nothing was changed is said only where one transaction does all of the call's work.
 */
export async function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const request_id = answerId(request, reply);
  const known = translate(error, request);
  if (!known) {
    request.log.error({ err: error, ...requestFacts(request) }, 'A request failed');
    const advice = isReading(request)
      ? 'Please try again.'
      : 'What you did may or may not be stored: reload and check before you repeat it.';
    const message = `Something went wrong on our side. ${advice} When you report this, give ${request_id}.`;
    return reply.code(500).send({ message, code: 'INTERNAL', request_id });
  }
  // Many clients that are refused while they still send never read the answer.
  if (hasBody(request)) await swallow(request.raw);
  // Whoever sends even more than that is cut off.
  if (hasBody(request) && request.raw.complete === false) reply.header('connection', 'close');
  const errors = known instanceof Invalid ? { errors: known.errors } : {};
  return reply
    .code(known.status)
    .headers(known.headers)
    .send({ message: known.message, code: known.code, ...errors, ...(known.status >= 500 && { request_id }) });
}

/** The answer to a path that is none. */
export function answerUnknownPath(): never {
  throw new NotFound();
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function translate(error: unknown, request: FastifyRequest): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const fault = databaseFault(error);
  if (fault) {
    request.log.warn({ err: error, ...requestFacts(request) }, fault.message);
    const isAtomic = !isReading(request) && request.routeOptions.config?.atomic;
    const outcome = isAtomic ? 'Nothing was changed; please' : 'Please';
    return new Unavailable(`${fault.message} ${outcome} try again in a moment.`, 'UNAVAILABLE', fault.retryAfter);
  }
  const { code = '', statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new TooLarge(tooLargeMessage(request.routeOptions.bodyLimit ?? bodyLimit));
  return byCode(code) ?? byStatus(statusCode, code);
}

/** Codes of Fastify, its multipart reader and PostgreSQL that mean something to the caller. */
function byCode(code: string): HttpError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new UnsupportedType();
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new BadRequest('The body is not valid JSON.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new BadRequest('The body is not as long as its Content-Length says.');
    case 'FST_ERR_BAD_URL':
      return new BadRequest('The address cannot be read.');
    case '22021': // a character that the encoding cannot hold
    case '22P05':
      return new BadRequest('The text contains a character that cannot be stored.');
    default:
      return undefined;
  }
}

function byStatus(status: number | undefined, code: string): HttpError | undefined {
  if (status === undefined || status < 400 || status >= 500) return undefined;
  if (status === 413) return new TooLarge();
  if (status === 415) return new UnsupportedType();
  if (status === 429) return new TooMany(60);
  return new BadRequest(code === '' ? 'The body is not valid JSON.' : 'The request cannot be read.');
}
