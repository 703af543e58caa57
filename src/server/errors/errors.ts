import type { QueryExecutorProvider } from 'kysely';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { ErrorCode } from './codes';

/**
 * An error response with its status and code; the message is shown to the user as it is. All errors of the API are in
 * this file.
 */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** 400: a malformed query or body; the message names what is wrong. */
export class BadRequest extends HttpError {
  constructor(message: string, code: ErrorCode = 'BAD_REQUEST') {
    super(400, code, message);
  }
}

/** 401: no token, or one that is unknown, expired or revoked. */
export class Unauthenticated extends HttpError {
  constructor(message = 'Unauthenticated.') {
    super(401, 'UNAUTHENTICATED', message, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** 403: the caller can see the record but has no permission for the action; the message says which rule denied it. */
export class Forbidden extends HttpError {
  constructor(message: string, code: ErrorCode = 'FORBIDDEN') {
    super(403, code, message);
  }
}

/** 404: no such record, one of another company, or one hidden by a row rule; the caller cannot tell which. */
export class NotFound extends HttpError {
  constructor(message = 'Not found.') {
    super(404, 'NOT_FOUND', message);
  }
}

/** 409: still referenced, changed in the meantime, or archived. */
export class Conflict extends HttpError {
  constructor(message: string, code: ErrorCode = 'CONFLICT') {
    super(409, code, message);
  }
}

/** 409: a request with the same Idempotency-Key is still in progress. */
export class RequestInProgress extends HttpError {
  constructor() {
    const message = 'This request is already in progress. Please try again in a moment with the same Idempotency-Key.';
    super(409, 'CONFLICT_IN_PROGRESS', message, { 'Retry-After': '2' });
  }
}

/** 413: over the limit that the message names. */
export class TooLarge extends HttpError {
  constructor(message = 'This is too large: at most 5 MB can be sent at once.', code: ErrorCode = 'TOO_LARGE') {
    super(413, code, message);
  }
}

/** 415: unsupported content type; the message names the supported ones. */
export class UnsupportedMediaType extends HttpError {
  constructor(message = 'This content type is not supported. Send application/json or multipart/form-data.') {
    super(415, 'UNSUPPORTED_TYPE', message);
  }
}

/** 422: all invalid fields at once. */
export class Invalid extends HttpError {
  constructor(
    readonly errors: FieldErrors,
    message = Object.values(errors)[0] ?? 'Some values are invalid.',
    code: ErrorCode = 'VALIDATION_FAILED',
  ) {
    super(422, code, message);
  }
}

/** 422: another record has values that a record is to have alone. */
export class Taken extends Invalid {
  /**
   * `explain` says which record in the archive has them, if one does. It cannot ask the transaction that was refused before
   * that is rolled back.
   */
  constructor(
    errors: FieldErrors,
    private readonly explain: (queries?: QueryExecutorProvider) => Promise<string>,
  ) {
    super(errors);
  }

  /** The same error, with the record in the archive that has the values; asks `queries`, or else a new connection. */
  async explained(queries?: QueryExecutorProvider): Promise<Invalid> {
    const sentence = await this.explain(queries);
    return new Invalid(
      Object.fromEntries(Object.entries(this.errors).map(([name, message]) => [name, `${message}${sentence}`])),
    );
  }
}

/**
 * A call on many records that was refused as a whole: all faults by their place, such as `update[3].amount`. The status
 * and code are those of the faults if they agree, otherwise 422.
 */
export class ManyRefused extends HttpError {
  constructor(
    readonly errors: FieldErrors,
    causes: readonly HttpError[],
  ) {
    const [first] = causes;
    const isAlike =
      first !== undefined && causes.every(({ status, code }) => status === first.status && code === first.code);
    const [fieldPath, text] = Object.entries(errors)[0] ?? ['', 'Some records are invalid.'];
    super(isAlike ? first.status : 422, isAlike ? first.code : 'VALIDATION_FAILED', `${fieldPath}: ${text}`);
  }
}

/** 429: too many attempts; `retryAfter` in seconds. */
export class TooManyRequests extends HttpError {
  constructor(retryAfter: number, message = 'Too many attempts. Please try again later.') {
    super(429, 'RATE_LIMITED', message, { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) });
  }
}

/** 503: starting, stopping, or overloaded; `retryAfter` in seconds. */
export class Unavailable extends HttpError {
  constructor(
    message = 'The server is busy. Please try again in a moment.',
    code: ErrorCode = 'UNAVAILABLE',
    retryAfter = 5,
  ) {
    super(503, code, message, { 'Retry-After': String(retryAfter) });
  }
}

/** 503: the database did not respond in time and the connection was closed. */
export class DatabaseTimeout extends Unavailable {
  constructor() {
    super('The database is not responding. Please try again in a moment.');
  }
}

/** 503: a change was sent to the database, but it is unknown whether it was saved. */
export class OutcomeUnknown extends Unavailable {
  constructor(options?: ErrorOptions) {
    super(
      'The connection to the database was lost while saving: your change may or may not have been saved. ' +
        'Reload and check before you try again.',
      'OUTCOME_UNKNOWN',
    );
    this.cause = options?.cause;
  }
}
