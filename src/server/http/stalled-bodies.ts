import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { endWith, stalled } from './bare-answers';

/** Milliseconds between two looks. */
const often = 1_000;

/**
 * Ends requests whose body stops arriving for `patience` seconds, so that half a body holds nothing for long. The whole of
 * a request has the server's `requestTimeout` besides.
 */
export function endStalledBodies(server: Server, patience: number): void {
  const arriving = new Map<IncomingMessage, { response: ServerResponse; bytes: number; at: number }>();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = Date.now();
    for (const [request, seen] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(request);
      else if (request.socket.bytesRead !== seen.bytes)
        Object.assign(seen, { bytes: request.socket.bytesRead, at: now });
      else if (now - seen.at >= patience * 1_000) {
        arriving.delete(request);
        if (seen.response.headersSent) request.socket.destroy();
        else endWith(request.socket, stalled);
      }
    }
    if (arriving.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  server.on('request', (request, response) => {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
    arriving.set(request, { response, bytes: socket.bytesRead, at: Date.now() });
    timer ??= setInterval(look, often).unref();
  });
}
