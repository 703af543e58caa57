import { createServer } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** Serves `GET /metrics` in Prometheus' text format at a port of its own. Returns a function that stops it. */
export async function serveMetrics(
  register: Registry,
  { port, host, log }: { port: number; host: string; log: Logger },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: Error) => {
        log.warn(`Metrics could not be collected: ${error.message}`);
        response
          .writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
          .end('Metrics could not be collected.\n');
      },
    );
  });
  await new Promise<void>((resolve, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
