import type { OutgoingHttpHeaders } from 'node:http';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../settings/settings';

/** Strict headers on every answer, errors included. */
export async function registerSecurity(app: FastifyInstance, settings: Settings): Promise<void> {
  const headers = await strictHeaders(settings);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/**
 * Scripts from here alone and none that is generated; styles inline, as emotion writes them. They are the same on every
 * answer, so helmet is asked once: working them out anew costs more than signing the caller in.
 */
async function strictHeaders(settings: Settings): Promise<OutgoingHttpHeaders> {
  const encrypted = settings.publicUrl.startsWith('https:');
  const probe = Fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(encrypted && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: encrypted ? undefined : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  let headers: OutgoingHttpHeaders = {};
  probe.get('/', (_request, reply) => {
    headers = { ...reply.raw.getHeaders() };
    return reply.send();
  });
  await probe.inject('/');
  await probe.close();
  return headers;
}
