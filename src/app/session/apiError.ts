/** A call that failed: the status (0 when no answer came), a message for the user, and what is wrong with which field. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: Readonly<Record<string, string>> = {},
    /** What is wrong in a word for programs, where the server gives one. */
    readonly code?: string,
    /** Everything that the server said. */
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Reads the error out of an answer that is not ok: the server's message, else the status in words. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const message =
    typeof body?.message === 'string' && body.message !== ''
      ? body.message
      : response.statusText || `Error ${response.status}`;
  const errors = body?.errors && typeof body.errors === 'object' ? (body.errors as Record<string, string>) : {};
  const code = typeof body?.code === 'string' ? body.code : undefined;
  return new ApiError(response.status, message, errors, code, body ?? undefined);
}

/** The error of a request that got no answer at all; `online` says whether the browser had a connection when it began. */
export function unreachable(cause: unknown, online = true): ApiError {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new ApiError(0, cause.message, {}, 'TIMEOUT');
  const message = `CORS error: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new ApiError(0, message, {}, online ? undefined : 'NOT_SENT');
}

/** The text of an answer. Throws ApiError where the connection breaks before all of it is there. */
export async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable(cause);
  }
}

/**
 * The error of a call that was to change something. Where its connection broke, or something in front of the server
 * answered in its place, nobody knows what became of the change, and the message says so.
 */
export function inDoubt(error: unknown): unknown {
  if (error instanceof ApiError && error.code === 'NOT_SENT') return error;
  if (!(error instanceof ApiError) || (error.status !== 0 && (error.status < 500 || error.code !== undefined)))
    return error;
  const message = `${error.message.replace(/\.$/, '')}. Your change may or may not have been saved: reload and check before you try again.`;
  return new ApiError(error.status, message, error.errors, 'OUTCOME_UNKNOWN');
}

const endings = new Set(['Invalid token', 'Unauthorized', 'Unauthenticated.']);

/** Whether a failed call says that the session is over: by its status, or in the words that servers use for it. */
export function endsSession(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || endings.has(error.message));
}
