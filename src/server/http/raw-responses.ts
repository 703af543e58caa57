import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../errors/codes';
import { dataHeaders } from '../routing/data-headers';

/** A response that is sent before a request reaches any route. */
interface RawResponse {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const parserErrorResponses: Readonly<Record<string, RawResponse>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'TOO_LARGE',
    message: 'The headers of the request are too large: at most 16 kB can be sent.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'BAD_REQUEST', message: 'The request took too long to arrive.' },
};
const missingHostResponse: RawResponse = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The request has no Host header.',
};
const malformedResponse: RawResponse = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The request is not valid HTTP.',
};
export const stalledResponse: RawResponse = {
  status: 408,
  code: 'BAD_REQUEST',
  message: 'The request stopped arriving.',
};

/**
 * Rejects HTTP/1.1 requests without a Host header. Returns whether it did. For servers whose `requireHostHeader` is
 * off, since Node's own response has no headers.
 */
export function rejectMissingHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  sendRawResponse(response, missingHostResponse);
  return true;
}

/** Gives the error responses of Node itself the same headers and format as all others. */
export function formatServerErrors(server: Server): void {
  server.on('clientError', respondToClientError);
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    sendRawResponse(response, { status: 417, code: 'BAD_REQUEST', message: 'The Expect header is not supported.' }),
  );
}

/** Responds to a request that could not be parsed, and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: currentResponse } = socket as Socket & { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || currentResponse?.headersSent) return void socket.destroy();
  // The response has already been sent.
  if (!socket.writable) return;
  endSocketWith(socket, parserErrorResponses[error.code ?? ''] ?? malformedResponse);
}

/** Writes a response directly to the socket and closes it. */
export function endSocketWith(socket: Socket, answer: RawResponse): void {
  const body = responseBody(answer);
  const headers = Object.entries(responseHeaders(body)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${headers.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** Responds to a request without routing it. */
function sendRawResponse(response: ServerResponse, answer: RawResponse): void {
  const body = responseBody(answer);
  response.writeHead(answer.status, responseHeaders(body));
  response.end(body);
}

const responseBody = ({ message, code }: RawResponse) => JSON.stringify({ message, code });
const responseHeaders = (body: string) => ({
  ...dataHeaders,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
});
