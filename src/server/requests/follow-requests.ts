import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { addressWithoutSecrets } from './address';
import { withinRequest, type CurrentRequest } from './current-request';

const longestAgent = 255;
/** The status recorded for a request whose client disconnected. */
const hungUp = 499;

/** A request that was answered, or whose client disconnected. */
export interface FinishedRequest {
  readonly method: string;
  /** The template of its path (`/api/:resource/:id`); undefined for an unknown path. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
  /** An event stream, which stays open as long as the client reads it. */
  readonly stream: boolean;
}

export interface FollowOptions {
  readonly log: Logger;
  /** Requests that take longer are logged, in milliseconds; 0: none. */
  readonly slowAfter: number;
  readonly finished?: (request: FinishedRequest) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for a request that reached no route. */
    current?: CurrentRequest;
  }
}

/**
 * Gives every request an id, which is in its response and in all its log lines, and tracks its end: slow requests are
 * logged, and all are reported.
 */
export function followRequests(app: FastifyInstance, { log, slowAfter, finished }: FollowOptions): void {
  app.decorateRequest('current', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const current = describe(request);
    request.current = current;
    reply.header('x-request-id', current.id);
    const begun = performance.now();
    reply.raw.once('close', () => {
      current.over = true;
      const milliseconds = performance.now() - begun;
      const status = reply.raw.headersSent ? reply.raw.statusCode : hungUp;
      const stream = isStream(request);
      finished?.({
        method: request.method,
        route: request.routeOptions.url,
        status,
        seconds: milliseconds / 1000,
        stream,
      });
      if (slowAfter > 0 && milliseconds > slowAfter && !stream) {
        log.warn({ ...requestFacts(request), status, ms: Math.round(milliseconds) }, 'A request was slow');
      }
    });
    withinRequest(current, done);
  });
  // The events of a body's stream belong to its socket: what follows them has to enter the context of the request
  // again.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.current) withinRequest(request.current, done);
    else done();
  });
}

/** What log lines contain of a request: no secrets and no headers. */
export function requestFacts(request: FastifyRequest): Record<string, unknown> {
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    url: addressWithoutSecrets(request.raw.url ?? ''),
    user_id: request.current?.userId,
  };
}

/** Sets the id of a request on its response, also if it failed before any hook ran, and returns it. */
export function answerId(request: FastifyRequest, reply: FastifyReply): string {
  if (!reply.hasHeader('x-request-id')) reply.header('x-request-id', request.id);
  return request.id;
}

function describe(request: FastifyRequest): CurrentRequest {
  const agent = request.headers['user-agent'];
  return {
    id: request.id,
    method: request.method,
    url: request.raw.url ?? '',
    address: request.ip,
    agent: agent === undefined ? null : agent.slice(0, longestAgent),
  };
}

/** Whether a route is an event stream, which stays open as long as the client reads it. */
function isStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.described?.answerType === 'text/event-stream';
}
