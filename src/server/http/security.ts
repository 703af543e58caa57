import type { OutgoingHttpHeaders } from 'node:http';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { dataHeaders } from '../routing/data-headers';
import type { Settings } from '../settings/settings';

/** Sets strict security headers on every response, errors included: all of them on pages, a few on data. */
export async function registerSecurity(app: FastifyInstance, settings: Settings): Promise<void> {
  const pageHeaders = await createPageHeaders(settings, []);
  const { 'x-frame-options': _none, ...framedHeaders } = await createPageHeaders(settings, settings.formFrames);
  const formHeaders = settings.formFrames.length > 0 ? framedHeaders : pageHeaders;
  const transport = pageHeaders['strict-transport-security'];
  const data = transport === undefined ? dataHeaders : { ...dataHeaders, 'strict-transport-security': transport };
  app.addHook('onRequest', ({ url }, reply, next) => {
    reply.headers(isDataPath(url) ? data : url.startsWith('/form/') ? formHeaders : pageHeaders);
    next();
  });
}

/** The page that shows the API document is not data. */
function isDataPath(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith('/api/docs');
}

/**
 * Only scripts from this origin and no inline ones; inline styles, as emotion writes them. The headers are the same on
 * every response, so helmet runs only once: computing them each time costs more than authentication. `frames` are the web
 * sites that may show the page in a frame.
 */
async function createPageHeaders(settings: Settings, frames: readonly string[]): Promise<OutgoingHttpHeaders> {
  const isEncrypted = settings.publicUrl.startsWith('https:');
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
        // Stored PDF files, which the application loads and shows by itself.
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: frames.length > 0 ? ["'self'", ...frames] : ["'none'"],
        ...(isEncrypted && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isEncrypted ? undefined : false,
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
