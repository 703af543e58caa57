import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
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

/** Every error as `{message, code}` (and `errors` by field), in words for the user; what is ours to mend goes to the log. */
export async function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const request_id = answerId(request, reply);
  const known = translate(error, request);
  if (!known) {
    request.log.error({ err: error, ...requestFacts(request) }, 'A request failed');
    const message = `Something went wrong on our side. Nothing was changed; please try again. When you report this, give ${request_id}.`;
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

function translate(error: unknown, request: FastifyRequest): HttpError | undefined {
  if (error instanceof HttpError) return error;
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
    case '40001': // two transactions in each other's way
    case '40P01':
    case '53300': // no connection to be had
    case '57014': // a statement took too long
    case '57P01':
    case 'ECONNREFUSED':
      return new Unavailable();
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
