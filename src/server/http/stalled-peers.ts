import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endWith, stalled } from './bare-answers';

/** Milliseconds between two looks. */
const often = 1_000;

interface Arriving {
  readonly response: ServerResponse;
  bytes: number;
  at: number;
}
interface Leaving {
  drained: number;
  at: number;
}

/**
 * Cuts off who stops sending a body, or stops reading an answer, for `patience` seconds: half a body, a download that
 * nobody takes or a stream that nobody listens to holds nothing for longer. The whole of a request has the server's
 * `requestTimeout` besides.
 */
export function endStalledPeers(server: Server, patience: number): void {
  const arriving = new Map<IncomingMessage, Arriving>();
  const sockets = new Map<Socket, Leaving | undefined>();

  const lookAtBodies = (now: number): void => {
    for (const [request, seen] of arriving) {
      const { socket } = request;
      if (request.complete || request.destroyed) arriving.delete(request);
      else if (socket.bytesRead !== seen.bytes) {
        seen.bytes = socket.bytesRead;
        seen.at = now;
      } else if (now - seen.at >= patience * 1_000) {
        arriving.delete(request);
        if (seen.response.headersSent) socket.destroy();
        else endWith(socket, stalled);
      }
    }
  };
  const lookAtReaders = (now: number): void => {
    for (const [socket, seen] of sockets) {
      // What the system has taken over; what is added meanwhile for a reader who takes nothing does not count.
      const drained = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0) sockets.set(socket, undefined);
      else if (seen?.drained !== drained) sockets.set(socket, { drained, at: now });
      else if (now - seen.at >= patience * 1_000) socket.destroy();
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    lookAtBodies(now);
    lookAtReaders(now);
  }, often).unref();
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
