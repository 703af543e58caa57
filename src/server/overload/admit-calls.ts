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
 * Forms are received by their handlers, which wait for those who send them: many may be on their way, in places of their
 * own, and each needs a place among the calls once it has arrived. Persons and companies have shares of these.
 */
const formPlaces = 512;
const anyForm: Ask = { lane: 'forms' };
/** Milliseconds that a refusal waits at most. */
const longestHeld = 1_000;

/** What lets calls in. */
export interface Overload {
  /** Lets calls of routes that are registered from now on begin when there is a place for them. */
  admit(api: FastifyInstance): void;
  /** Whether a call is to be refused before anything of it is read. */
  refuses(request: IncomingMessage): boolean;
  figures(): AdmissionFigures;
}

/** Opens what lets calls in, for a pool of so many connections to the database. */
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
            // Whoever hung up while they waited needs no answer.
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
    /** How many calls run, wait, and were refused since the start. */
    admissionFigures(): AdmissionFigures;
  }
  interface FastifyRequest {
    /** To be called by whoever has received the form of a call, before the work on it begins. Throws Unavailable. */
    formHasArrived?: () => Promise<void>;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The handler for what is let in; all else is refused, which costs a small part of a call. The more refusals there are
 * at a time, the longer each takes, up to a second: clients that ask again at once would keep the program busy refusing.
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
