import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/settings';
import { idempotencyHeader } from '../idempotency/header';

/** Seconds for which a browser need not ask again what is allowed. */
const maxAge = 600;

/**
 * Lets pages of the origins in the settings call the API. They authenticate with a token: cookies are neither sent nor
 * accepted, so a page elsewhere can do nothing in the name of somebody who only happens to be signed in.
 */
export async function registerCrossOrigin(api: FastifyInstance, { corsOrigins }: Settings): Promise<void> {
  if (corsOrigins.length === 0) return;
  await api.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Accept', 'Authorization', 'Content-Type', 'Range', ...Object.keys(idempotencyHeader)],
    exposedHeaders: [
      'Content-Disposition',
      'Content-Range',
      'Retry-After',
      'X-After',
      'X-Before',
      'X-Request-Id',
      'X-Total',
      'X-Total-Estimated',
    ],
    credentials: false,
    maxAge,
  });
}
