import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Where a call comes from, as the security log records it. */
export interface CallPlace {
  readonly address: string;
  readonly agent: string | null;
  readonly request_id: string | null;
}

const storage = new AsyncLocalStorage<CallPlace>();
const longestAgent = 255;

/** Where the call that is being answered comes from; undefined for what the program does by itself. */
export function currentPlace(): CallPlace | undefined {
  return storage.getStore();
}

/** Lets everything that a call leads to know where the call comes from. */
export function keepCallPlaces(app: FastifyInstance): void {
  const places = new WeakMap<FastifyRequest, CallPlace>();
  app.addHook('onRequest', (request, _reply, done) => {
    const place = placeOf(request);
    places.set(request, place);
    storage.run(place, done);
  });
  // The events of a body's stream belong to its socket: what follows them has to enter the call's context again.
  app.addHook('preValidation', (request, _reply, done) => {
    storage.run(places.get(request) ?? placeOf(request), done);
  });
}

function placeOf(request: FastifyRequest): CallPlace {
  const agent = request.headers['user-agent'];
  return {
    address: request.ip,
    agent: agent === undefined ? null : agent.slice(0, longestAgent),
    request_id: request.id || null,
  };
}
