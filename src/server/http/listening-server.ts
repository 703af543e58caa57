import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createHealth, type Health } from '../lifecycle/health';
import { requestIdFrom } from '../requests/request-id';
import { createListeners } from './listeners';
import { formatServerErrors, rejectMissingHost } from './raw-responses';
import { dataHeaders } from '../routing/data-headers';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The listening server. It answers from the first moment: health checks always, before anything else. Other requests
 * wait until the program has started, since proxies without readiness checks send requests to a program that is just
 * restarting; after a while they get 503.
 */
export interface ListeningServer {
  readonly server: Server;
  readonly health: Health;
  listen(port: number, host: string): Promise<void>;
  /** Passes requests to `handler` from now on. */
  setHandler(handler: Handler): void;
  /** The number of requests in progress. */
  inFlight(): number;
  /**
   * Every response closes its connection from now on, so that clients go elsewhere; new connections are still accepted.
   */
  closeAfterResponse(): void;
  /**
   * Stops accepting connections once none have arrived for a moment (the system resets connections that are queued when
   * the listener closes), and resolves when all are closed. Idle connections are closed after a second; a connection in
   * use gets `Connection: close` with its next response, since closing it could hit a request on its way. Connections
   * still open after `patience` milliseconds are destroyed.
   */
  drain(patience: number): Promise<void>;
}

interface ConnectionState {
  activeRequests: number;
  /** A request other than a health check has arrived on it. */
  hasRequest: boolean;
  /** When its last response ended, by `performance.now()`. */
  idleSince: number;
}

/** How long a connection may stay idle while the server drains, in milliseconds. */
const idleTimeout = 1_000;
const checkInterval = 25;
/**
 * The server stops accepting connections after so many milliseconds without a first request on a new one, and how long
 * it waits for that at most.
 */
const quietPeriod = 250;
const maxQuietWait = 3_000;
/** Milliseconds of an idle turn of the event loop, and how many turns to wait for one. */
const idleTurn = 0.3;
const maxTurns = 2_000;
/** Longer than proxies keep an idle connection (nginx and many others: 60 s), so that they are the ones to close it. */
const keepAliveTimeout = 65_000;

/** How long a request waits for the program to start, in milliseconds, and how many requests wait at once. */
const startWait = 10_000;
const maxWaiting = 1_000;

/** Limits for receiving the headers of a request and the whole request, in milliseconds from its first byte. */
const headersTimeout = 20_000;
const requestTimeout = 300_000;

/** Creates the server; it has no handler yet. */
export function createListeningServer(health = createHealth()): ListeningServer {
  const connections = new Map<Socket, ConnectionState>();
  const openResponses = new Set<ServerResponse>();
  let discouraging = false;
  let lastArrival = 0;
  const idleListeners = new Set<() => void>();
  let handler: Handler = (request, response) => {
    const refuse = () =>
      sendJson(request, response, 503, {
        message: 'Assay is starting. Please try again in a moment.',
        code: 'UNAVAILABLE',
      });
    if (idleListeners.size >= maxWaiting || discouraging) return refuse();
    const leave = () => {
      clearTimeout(limit);
      idleListeners.delete(begin);
    };
    const begin = () => {
      leave();
      handler(request, response);
    };
    const limit = setTimeout(() => {
      leave();
      refuse();
    }, startWait);
    idleListeners.add(begin);
    response.once('close', leave);
  };

  const options = { requireHostHeader: false, connectionsCheckingInterval: 5_000, headersTimeout, requestTimeout };
  const server = createServer(options, (request, response) => {
    if (rejectMissingHost(request, response)) return;
    const use = connections.get(request.socket);
    if (use) use.activeRequests++;
    openResponses.add(response);
    response.once('close', () => {
      openResponses.delete(response);
      if (!use) return;
      use.activeRequests--;
      use.idleSince = performance.now();
    });
    if (discouraging) response.shouldKeepAlive = false;
    const healthy = health.respond(pathOf(request.url));
    if (!healthy || (request.method !== 'GET' && request.method !== 'HEAD')) {
      if (use && !use.hasRequest) {
        use.hasRequest = true;
        lastArrival = performance.now();
      }
      return handler(request, response);
    }
    void healthy.then(({ status, body }) => sendJson(request, response, status, body));
  });
  server.keepAliveTimeout = keepAliveTimeout;
  formatServerErrors(server);
  const listeners = createListeners(server);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { activeRequests: 0, hasRequest: false, idleSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });

  function closeIdle(): void {
    const idleLimit = performance.now() - idleTimeout;
    for (const [socket, { activeRequests: count, idleSince }] of connections) {
      if (count === 0 && idleSince <= idleLimit) socket.destroySoon();
    }
  }

  return {
    server,
    health,
    listen: listeners.listen,
    setHandler(next) {
      handler = next;
      for (const begin of idleListeners) begin();
    },
    inFlight: () => openResponses.size,
    closeAfterResponse() {
      discouraging = true;
      for (const response of openResponses) response.shouldKeepAlive = false;
    },
    drain(patience) {
      this.closeAfterResponse();
      const startTime = performance.now();
      return new Promise((resolve) => {
        let isClosed = false;
        const close = (): void => {
          if (isClosed) return;
          isClosed = true;
          void listeners.close().then(() => {
            clearInterval(look);
            clearTimeout(limit);
            server.close(() => undefined);
            resolve();
          });
        };
        let isClosing = false;
        const look = setInterval(() => {
          const now = performance.now();
          if (
            !isClosing &&
            (now - Math.max(startTime, lastArrival) >= quietPeriod || now - startTime >= maxQuietWait)
          ) {
            isClosing = true;
            void listeners.settled().then(() => onIdleTurn(close));
          }
          // First give load balancers that check readiness time to redirect traffic.
          if (now - startTime >= idleTimeout) closeIdle();
        }, checkInterval);
        const limit = setTimeout(() => {
          close();
          server.closeAllConnections();
        }, patience);
      });
    },
  };
}

/**
 * Calls back right after an idle turn of the event loop: every turn accepts connections, so none can be queued when the
 * listeners close then.
 */
function onIdleTurn(call: () => void): void {
  let [turnStart, turns] = [performance.now(), 0];
  const turn = (): void => {
    const now = performance.now();
    if ((turns > 0 && now - turnStart < idleTurn) || ++turns > maxTurns) return call();
    turnStart = now;
    setImmediate(turn);
  };
  setImmediate(turn);
}

function pathOf(url = ''): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
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
