import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The listening server. It answers from its first moment: 503 until there is something to serve, and while it drains. */
export interface Front {
  readonly server: Server;
  listen(port: number, host: string): Promise<void>;
  /** From now on requests go there. */
  serve(handler: Handler): void;
  /** No new connections; requests in flight have `patience` milliseconds. */
  drain(patience: number): Promise<void>;
}

/** A server that nothing stands behind yet. */
export function openFront(): Front {
  let handler: Handler = unavailable('Assay is starting. Please try again in a moment.');
  const server = createServer((request, response) => handler(request, response));
  server.keepAliveTimeout = 65_000;
  return {
    server,
    listen: (port, host) =>
      new Promise((done, fail) => {
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          done();
        });
      }),
    serve(next) {
      handler = next;
    },
    drain: (patience) =>
      new Promise((done) => {
        handler = unavailable('Assay is stopping. Please try again in a moment.');
        const limit = setTimeout(() => server.closeAllConnections(), patience);
        server.close(() => {
          clearTimeout(limit);
          done();
        });
        server.closeIdleConnections();
      }),
  };
}

function unavailable(message: string): Handler {
  return (_request, response) => {
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '5',
      connection: 'close',
    });
    response.end(JSON.stringify({ message, code: 'UNAVAILABLE' }));
  };
}
