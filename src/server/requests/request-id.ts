import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const validRequestId = /^[\x21-\x7e]{1,128}$/;

/** The id that a proxy or client sent in `X-Request-Id` if it is printable and short; otherwise a new one. */
export function requestIdFrom({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const givenId = headers['x-request-id'];
  return typeof givenId === 'string' && validRequestId.test(givenId) ? givenId : randomUUID();
}
