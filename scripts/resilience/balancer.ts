import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';

/** A minimal HTTP balancer: it checks readiness and never repeats a request. */
export interface Balancer {
  readonly port: number;
  /** Replaces the servers; removed ones get no new requests. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

const askEvery = 100;

/**
 * Forwards requests to servers in turns, over persistent connections. A server whose readiness is not 200 gets none;
 * after a refused connection the next server is tried, since nothing was sent; any other error is a 502.
 */
export async function openBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  let servers: number[] = [];
  const readyPorts = new Set<number>();
  let turn = 0;

  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    triedPorts: ReadonlySet<number>,
  ): void {
    const open = servers.filter((port) => !triedPorts.has(port));
    const choice = open.filter((port) => readyPorts.has(port));
    const candidates = choice.length > 0 ? choice : open;
    const port = candidates[turn++ % Math.max(1, candidates.length)];
    if (port === undefined) return void response.writeHead(502).end('No server takes requests.');
    const headers = { ...request.headers, connection: 'keep-alive' };
    const onward = send({ host: '127.0.0.1', port, method: request.method, path: request.url, headers, agent });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] ?? 'text/plain' });
      answer.on('error', () => response.destroy()).pipe(response);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return pass(request, response, body, new Set([...triedPorts, port]));
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${error.code}: ${error.message}`);
    });
    onward.end(body);
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => pass(request, response, Buffer.concat(parts), new Set()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const timer = setInterval(() => {
    for (const port of servers) {
      send({ host: '127.0.0.1', port, path: '/api/health/ready' }, (answer) => {
        answer.resume();
        if (answer.statusCode === 200) readyPorts.add(port);
        else readyPorts.delete(port);
      })
        .on('error', () => readyPorts.delete(port))
        .end();
    }
  }, askEvery);

  return {
    port: (server.address() as { port: number }).port,
    use(ports) {
      servers = [...ports];
    },
    close() {
      clearInterval(timer);
      agent.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
