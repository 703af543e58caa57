import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endSocketWith, stalledResponse } from './raw-responses';

/** Milliseconds between two checks. */
const checkInterval = 1_000;

interface RequestProgress {
  readonly response: ServerResponse;
  bytes: number;
  at: number;
}
interface ResponseProgress {
  drained: number;
  at: number;
}

/**
 * Disconnects clients that stop sending a body or reading a response for `patience` seconds, so that half a body, an
 * abandoned download or an unread stream holds no resources. The server's `requestTimeout` applies as well.
 */
export function disconnectStalledClients(server: Server, patience: number): void {
  const arriving = new Map<IncomingMessage, RequestProgress>();
  const sockets = new Map<Socket, ResponseProgress | undefined>();

  const checkRequests = (now: number): void => {
    for (const [request, progress] of arriving) {
      const { socket } = request;
      if (request.complete || request.destroyed) arriving.delete(request);
      else if (socket.bytesRead !== progress.bytes) {
        progress.bytes = socket.bytesRead;
        progress.at = now;
      } else if (now - progress.at >= patience * 1_000) {
        arriving.delete(request);
        if (progress.response.headersSent) socket.destroy();
        else endSocketWith(socket, stalledResponse);
      }
    }
  };
  const checkResponses = (now: number): void => {
    for (const [socket, progress] of sockets) {
      // Bytes handed to the system; new data for a client that reads nothing does not count.
      const drained = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0) sockets.set(socket, undefined);
      else if (progress?.drained !== drained) sockets.set(socket, { drained, at: now });
      else if (now - progress.at >= patience * 1_000) socket.destroy();
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    checkRequests(now);
    checkResponses(now);
  }, checkInterval).unref();
  server.once('close', () => clearInterval(timer));

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    if (!sockets.has(socket)) {
      sockets.set(socket, undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
    arriving.set(request, { response, bytes: socket.bytesRead, at: performance.now() });
  });
}
