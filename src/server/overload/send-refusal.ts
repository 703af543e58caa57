import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../errors/codes';
import { requestIdFrom } from '../requests/request-id';
import { dataHeaders } from '../routing/data-headers';

/** Why a call is not handled now; `retryAfter` in seconds. */
export interface Refusal {
  readonly status: 429 | 503;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfter: number;
}

/** Answers a call that is not routed, in the form of every error. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, retryAfter }: Refusal,
): void {
  const id = requestIdFrom(request);
  const text = JSON.stringify({ message, code, ...(status >= 500 && { request_id: id }) });
  response.writeHead(status, {
    ...dataHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': id,
    'retry-after': String(retryAfter),
  });
  response.end(text);
}
