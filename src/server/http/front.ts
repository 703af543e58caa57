import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { openHealth, type Health } from '../lifecycle/health';
import { requestIdFrom } from '../requests/request-id';
import { answerBareErrors, refuseBare } from './bare-answers';
import { dataHeaders } from './security';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The listening server. It answers from its first moment: health always, ahead of everything else. Other calls wait for a
 * while until there is something to serve, since proxies that do not ask for readiness send them to a program that has
 * just been restarted; then they get 503.
 */
export interface Front {
  readonly server: Server;
  readonly health: Health;
  listen(port: number, host: string): Promise<void>;
  /** From now on requests go there. */
  serve(handler: Handler): void;
  /** How many requests are being answered. */
  inFlight(): number;
  /** From now on every answer ends its connection, so that clients go elsewhere; new ones are still taken. */
  discourage(): void;
  /**
   * Takes no new connections once none have come for a moment (the system resets those that wait at a door that closes),
   * and settles when none is left. Connections that wait for a request are closed when they have done so for a second:
   * one that is in use reads `Connection: close` with its next answer instead, since closing it could meet a request on
   * its way. Those still open after `patience` milliseconds are cut off.
   */
  drain(patience: number): Promise<void>;
}

interface Use {
  answering: number;
  /** A request other than for health has come on it. */
  used: boolean;
  /** Since when nothing is answered on it, by `performance.now()`. */
  idleSince: number;
}

/** Milliseconds for which a connection may wait for its next request while the server drains. */
const idleGrace = 1_000;
const lookEvery = 25;
/** Milliseconds without a request on a new connection after which the door is closed, and the most to wait for that. */
const quiet = 250;
const longestArrivals = 3_000;
/** Milliseconds of a calm turn of the event loop, and how many turns to wait for one. */
const calmTurn = 0.3;
const mostTurns = 2_000;
/** Longer than what proxies keep an idle connection (nginx and many others: 60 s), so that they are who closes it. */
const keepAlive = 65_000;

/** Milliseconds that a call waits at most for the program to have started, and how many calls wait at once. */
const startPatience = 10_000;
const mostWaiting = 1_000;

/** Milliseconds in which the headers of a request, and all of it, have to arrive from its first byte on. */
const headersTimeout = 20_000;
const requestTimeout = 300_000;

/** A server that nothing stands behind yet. */
export function openFront(health = openHealth()): Front {
  const connections = new Map<Socket, Use>();
  const answering = new Set<ServerResponse>();
  let discouraging = false;
  let lastArrival = 0;
  const waiting = new Set<() => void>();
  let handler: Handler = (request, response) => {
    const refuse = () =>
      answer(request, response, 503, {
        message: 'Assay is starting. Please try again in a moment.',
        code: 'UNAVAILABLE',
      });
    if (waiting.size >= mostWaiting || discouraging) return refuse();
    const leave = () => {
      clearTimeout(limit);
      waiting.delete(begin);
    };
    const begin = () => {
      leave();
      handler(request, response);
    };
    const limit = setTimeout(() => {
      leave();
      refuse();
    }, startPatience);
    waiting.add(begin);
    response.once('close', leave);
  };

  const options = { requireHostHeader: false, connectionsCheckingInterval: 5_000, headersTimeout, requestTimeout };
  const server = createServer(options, (request, response) => {
    if (refuseBare(request, response)) return;
    const use = connections.get(request.socket);
    if (use) use.answering++;
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      if (!use) return;
      use.answering--;
      use.idleSince = performance.now();
    });
    if (discouraging) response.shouldKeepAlive = false;
    const healthy = health.answer(pathOf(request.url));
    if (!healthy || (request.method !== 'GET' && request.method !== 'HEAD')) {
      if (use && !use.used) {
        use.used = true;
        lastArrival = performance.now();
      }
      return handler(request, response);
    }
    void healthy.then(({ status, body }) => answer(request, response, status, body));
  });
  server.keepAliveTimeout = keepAlive;
  answerBareErrors(server);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { answering: 0, used: false, idleSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });

  function closeIdle(): void {
    const before = performance.now() - idleGrace;
    for (const [socket, { answering: count, idleSince }] of connections) {
      if (count === 0 && idleSince <= before) socket.destroySoon();
    }
  }

  return {
    server,
    health,
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
      for (const begin of waiting) begin();
    },
    inFlight: () => answering.size,
    discourage() {
      discouraging = true;
      for (const response of answering) response.shouldKeepAlive = false;
    },
    drain(patience) {
      this.discourage();
      const begun = performance.now();
      return new Promise((done) => {
        let closed = false;
        const close = (): void => {
          if (closed) return;
          closed = true;
          // Past Node's own `close`, which ends idle connections at once.
          NetServer.prototype.close.call(server, () => {
            clearInterval(look);
            clearTimeout(limit);
            server.close(() => undefined);
            done();
          });
        };
        let closing = false;
        const look = setInterval(() => {
          const now = performance.now();
          if (!closing && (now - Math.max(begun, lastArrival) >= quiet || now - begun >= longestArrivals)) {
            closing = true;
            inCalm(close);
          }
          // Not before balancers that ask for readiness have had the time to turn away.
          if (now - begun >= idleGrace) closeIdle();
        }, lookEvery);
        const limit = setTimeout(() => {
          close();
          server.closeAllConnections();
        }, patience);
      });
    },
  };
}

/**
 * Calls right after a turn of the event loop in which hardly anything was done: connections are accepted once a turn, so
 * that none has had the time to queue up at a door that is closed then.
 */
function inCalm(call: () => void): void {
  let [since, turns] = [performance.now(), 0];
  const turn = (): void => {
    const now = performance.now();
    if ((turns > 0 && now - since < calmTurn) || ++turns > mostTurns) return call();
    since = now;
    setImmediate(turn);
  };
  setImmediate(turn);
}

function pathOf(url = ''): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const id = requestIdFrom(request);
  const text = JSON.stringify(status === 503 ? { ...body, request_id: id } : body);
  response.writeHead(status, {
    ...dataHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': id,
    ...(status === 503 && { 'retry-after': '5' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
