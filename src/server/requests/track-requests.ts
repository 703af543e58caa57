import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { redactUrl } from './redact-url';
import { runInRequest, type CurrentRequest } from './current-request';
import { countWork } from './work-time';

const maxAgentLength = 255;
/** The status recorded for a request whose client disconnected. */
const clientClosedStatus = 499;

/** A request that was answered, or whose client disconnected. */
export interface FinishedRequest {
  readonly method: string;
  /** The template of its path (`/api/:resource/:id`); undefined for an unknown path. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
  /** An event stream, which stays open as long as the client reads it. */
  readonly isEventStream: boolean;
}

export interface TrackOptions {
  readonly log: Logger;
  /** Requests that take longer are logged, in milliseconds; 0: none. */
  readonly slowAfter: number;
  readonly onFinished?: (request: FinishedRequest) => void;
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
export function trackRequests(app: FastifyInstance, { log, slowAfter, onFinished }: TrackOptions): void {
  app.decorateRequest('current', undefined);
  app.addHook('onRequest', (request, reply, next) => {
    const current = toCurrentRequest(request);
    request.current = current;
    reply.header('x-request-id', current.id);
    const startTime = performance.now();
    reply.raw.once('close', () => {
      current.hasEnded = true;
      const milliseconds = performance.now() - startTime;
      const status = reply.raw.headersSent ? reply.raw.statusCode : clientClosedStatus;
      const stream = isEventStream(request);
      onFinished?.({
        method: request.method,
        route: request.routeOptions.url,
        status,
        seconds: milliseconds / 1000,
        isEventStream: stream,
      });
      if (slowAfter > 0 && milliseconds > slowAfter && !stream) {
        log.warn({ ...requestLogFields(request), status, ms: Math.round(milliseconds) }, 'A request was slow');
      }
    });
    runInRequest(current, next);
  });
  // The events of a body's stream belong to its socket: what follows them has to enter the context of the request
  // again.
  app.addHook('preValidation', ({ current }, _reply, next) => {
    if (!current) return next();
    countWork(current.account);
    runInRequest(current, next);
  });
}

/** The fields of a request in log lines: no secrets and no headers. */
export function requestLogFields(request: FastifyRequest): Record<string, unknown> {
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    url: redactUrl(request.raw.url ?? ''),
    user_id: request.current?.userId,
  };
}

/** Sets the id of a request on its response, also if it failed before any hook ran, and returns it. */
export function setRequestIdHeader(request: FastifyRequest, reply: FastifyReply): string {
  if (!reply.hasHeader('x-request-id')) reply.header('x-request-id', request.id);
  return request.id;
}

function toCurrentRequest(request: FastifyRequest): CurrentRequest {
  const agent = request.headers['user-agent'];
  return {
    id: request.id,
    method: request.method,
    url: request.raw.url ?? '',
    address: request.ip,
    agent: agent === undefined ? null : agent.slice(0, maxAgentLength),
  };
}

/** Whether a route is an event stream, which stays open as long as the client reads it. */
function isEventStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.described?.answerType === 'text/event-stream';
}
