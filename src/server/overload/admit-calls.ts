import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { requestIdFrom } from '../requests/request-id';
import { dataHeaders } from '../http/security';
import {
  limitsFor,
  openAdmission,
  refusal,
  retryAfter,
  type Admission,
  type AdmissionFigures,
  type Ask,
} from './admission';
import { askOf } from './lanes';

/**
 * Handlers of forms wait for their clients: many uploads may be in progress, in slots of their own, and each needs a
 * slot among the calls once it has arrived. Users and companies have their own limits for these.
 */
const formPlaces = 512;
const anyForm: Ask = { lane: 'forms' };
/** How long a rejection is delayed at most, in milliseconds. */
const longestHeld = 1_000;

/** Overload protection. */
export interface Overload {
  /** Makes the handlers of all routes registered after this call wait for a slot. */
  admit(api: FastifyInstance): void;
  /** Whether a call is to be rejected before it is read. */
  refuses(request: IncomingMessage): boolean;
  figures(): AdmissionFigures;
}

/** Creates the overload protection for a pool with so many database connections. */
export function openOverload(connections: number): Overload {
  const limits = limitsFor(connections);
  const calls = openAdmission(limits);
  const forms = openAdmission({ ...limits, running: formPlaces, ofOneLane: formPlaces, reserved: 0 });
  const placeOf = (request: IncomingMessage): readonly [Admission, Ask] | undefined => {
    const ask = askOf(request.method ?? '', request.url ?? '');
    if (!ask) return undefined;
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    return isForm ? [forms, anyForm] : [calls, ask];
  };
  return {
    admit(api) {
      api.decorateRequest('formHasArrived');
      api.addHook('onRoute', (route) => {
        const { handler } = route;
        route.handler = async function (request, reply) {
          const place = placeOf(request.raw);
          if (!place) return handler.call(this, request, reply);
          const [admission, ask] = place;
          const leave = await admission.enter(ask);
          let leaveCalls: (() => void) | undefined;
          if (admission === forms) {
            request.formHasArrived = async () => {
              leaveCalls ??= await calls.enter(askOf(request.method, request.url)!);
            };
          }
          try {
            // The client disconnected while it waited.
            if (reply.raw.destroyed) return reply.hijack();
            return (await handler.call(this, request, reply)) as unknown;
          } finally {
            leaveCalls?.();
            leave();
          }
        };
      });
    },
    refuses(request) {
      const place = placeOf(request);
      return place !== undefined && place[0].refuses(place[1]);
    },
    figures: calls.figures,
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How many calls run and wait, and how many were rejected since the start. */
    admissionFigures(): AdmissionFigures;
  }
  interface FastifyRequest {
    /** Call it when the form has arrived, before work on it starts. Throws Unavailable. */
    formHasArrived?: () => Promise<void>;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Wraps a handler: calls that are not admitted are rejected, which costs a small part of a call. The more rejections at
 * a time, the longer each is delayed, up to a second: clients that retry at once would keep the program busy rejecting
 * them.
 */
export function shedding(overload: Overload, handler: Handler): Handler {
  let held = 0;
  return (request, response) => {
    if (!overload.refuses(request)) return handler(request, response);
    held++;
    setTimeout(
      () => {
        held--;
        if (!response.destroyed) refuse(request, response);
      },
      Math.min(held, longestHeld),
    );
  };
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const id = requestIdFrom(request);
  const text = JSON.stringify({ message: refusal, code: 'UNAVAILABLE', request_id: id });
  response.writeHead(503, {
    ...dataHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': id,
    'retry-after': String(retryAfter),
  });
  response.end(text);
}
