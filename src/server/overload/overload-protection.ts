import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  limitsForPool,
  createAdmission,
  busyMessage,
  busyRetryAfter,
  type Admission,
  type AdmissionCounts,
  type AdmissionRequest,
} from './admission';
import { admissionRequestOf } from './lanes';
import { sendRefusal, type Refusal } from './send-refusal';
import { createTaskStarter } from './turns';
import { requireValue } from '../../engine/values/lookups';

/**
 * Handlers of forms wait for their clients: many uploads may be in progress, in slots of their own, and each needs a
 * slot among the calls once it has arrived. Users and companies have their own limits for these.
 */
const formSlots = 512;
const formRequest: AdmissionRequest = { lane: 'forms' };
const busyRefusal: Refusal = { status: 503, code: 'UNAVAILABLE', message: busyMessage, retryAfter: busyRetryAfter };
/** How long a rejection is delayed at most, in milliseconds. */
const maxRejectionDelay = 500;
/** How many calls are read, routed and checked in a turn of the event loop. */
const callsPerTurn = 4;

/** Overload protection. */
export interface OverloadProtection {
  /** Makes the handlers of all routes registered after this call wait for a slot. */
  limitRoutes(api: FastifyInstance): void;
  /** Whether a call is to be rejected before it is read, with so many before it. */
  rejects(request: IncomingMessage, before: number): boolean;
  counts(): AdmissionCounts;
}

/** Creates the overload protection for a pool with so many database connections. */
export function createOverloadProtection(connections: number): OverloadProtection {
  const limits = limitsForPool(connections);
  const calls = createAdmission(limits);
  const forms = createAdmission({ ...limits, running: formSlots, perLane: formSlots, reserved: 0 });
  const admissionOf = (request: IncomingMessage): readonly [Admission, AdmissionRequest] | undefined => {
    const ask = admissionRequestOf(request.method ?? '', request.url ?? '');
    if (!ask) return undefined;
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    return isForm ? [forms, formRequest] : [calls, ask];
  };
  return {
    limitRoutes(api) {
      api.decorateRequest('formHasArrived');
      api.addHook('onRoute', (route) => {
        const { handler } = route;
        route.handler = async function (request, reply) {
          const admissionEntry = admissionOf(request.raw);
          if (!admissionEntry) return handler.call(this, request, reply);
          const [admission, ask] = admissionEntry;
          const leave = await admission.enter(ask);
          let leaveCalls: (() => void) | undefined;
          if (admission === forms) {
            request.formHasArrived = async () => {
              const ofCall = requireValue(
                admissionRequestOf(request.method, request.url),
                `the lane of ${request.url}`,
              );
              leaveCalls ??= await calls.enter(ofCall);
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
    rejects(request, enteringCount) {
      const admissionEntry = admissionOf(request);
      return admissionEntry !== undefined && admissionEntry[0].rejects(admissionEntry[1], enteringCount);
    },
    counts: calls.counts,
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How many calls run and wait, and how many were rejected since the start. */
    admissionFigures(): AdmissionCounts;
  }
  interface FastifyRequest {
    /** Call it when the form has arrived, before work on it starts. Throws Unavailable. */
    formHasArrived?: () => Promise<void>;
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Wraps a handler: calls that are not admitted are rejected, which costs a small part of a call. The more rejections at
 * a time, the longer each is delayed: clients that retry at once would keep the program busy rejecting them. The others
 * start a few per turn of the event loop.
 */
export function withLoadShedding(overload: OverloadProtection, handler: Handler): Handler {
  const starter = createTaskStarter(callsPerTurn);
  let heldBytes = 0;
  return (request, response) => {
    if (!overload.rejects(request, starter.waiting)) return starter.start(() => handler(request, response));
    heldBytes++;
    setTimeout(
      () => {
        heldBytes--;
        if (!response.destroyed) sendRefusal(request, response, busyRefusal);
      },
      Math.min(heldBytes, maxRejectionDelay),
    );
  };
}
