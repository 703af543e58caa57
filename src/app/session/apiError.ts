/** A failed request: the status (0 without a response), a message for the user, and errors by field. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: Readonly<Record<string, string>> = {},
    /** The machine-readable error code, if the server sent one. */
    readonly code?: string,
    /** The whole response body. */
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/**
 * An error whose message says what is wrong with each field, where no form shows it.
 *
 * @example await save(record).catch((error) => reportError(withFieldErrors(error)));
 */
export function withFieldErrors(error: Error): Error {
  const reasons = error instanceof ApiError ? Object.values(error.errors) : [];
  return reasons.length > 0 && error instanceof ApiError ? new ApiError(error.status, reasons.join(' ')) : error;
}

/** Reads the error from a response that is not ok: the server's message, else the status text. */
export async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const message =
    typeof body?.message === 'string' && body.message !== ''
      ? body.message
      : response.statusText || `Error ${response.status}`;
  const errors = body?.errors && typeof body.errors === 'object' ? (body.errors as Record<string, string>) : {};
  const code = typeof body?.code === 'string' ? body.code : undefined;
  return new ApiError(response.status, message, errors, code, body ?? undefined);
}

/** The error of a request without a response; `online` says whether the browser had a connection when it started. */
export function unreachableError(cause: unknown, online = true): ApiError {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new ApiError(0, cause.message, {}, 'TIMEOUT');
  const message = `CORS error: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new ApiError(0, message, {}, online ? undefined : 'NOT_SENT');
}

/**
 * The text of a response. Throws ApiError if the connection breaks before it is complete.
 *
 * @example const { data } = JSON.parse(await readText(await requestApi('/tasks')));
 */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachableError(cause);
  }
}

/**
 * The error of a failed change. If the connection broke, or a proxy responded instead of the server, it is unknown
 * whether the change was stored, and the message says so.
 */
export function asUnknownOutcome(error: unknown): unknown {
  if (error instanceof ApiError && error.code === 'NOT_SENT') return error;
  if (!(error instanceof ApiError) || (error.status !== 0 && (error.status < 500 || error.code !== undefined)))
    return error;
  const message = `${error.message.replace(/\.$/, '')}. Your change may or may not have been saved: reload and check before you try again.`;
  return new ApiError(error.status, message, error.errors, 'OUTCOME_UNKNOWN');
}

const sessionEndMessages = new Set(['Invalid token', 'Unauthorized', 'Unauthenticated.']);

/** Whether an error means that the session has ended: by its status, or by messages that servers use for it. */
export function endsSession(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || sessionEndMessages.has(error.message));
}
