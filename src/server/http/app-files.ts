import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { respondNotFound } from './error-handler';

const yearInSeconds = 365 * 24 * 3600;

/**
 * Serves the browser application: its files, and its page for every other path outside the API. Files with a hash in
 * their name are cached for a year; the page itself is revalidated every time.
 */
export async function registerAppFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(respondNotFound);
    return;
  }
  const page = readFileSync(join(folder, 'index.html'));
  await app.register(files, {
    root: folder,
    wildcard: false,
    index: false,
    // The build creates compressed variants next to the files.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}', '.vite/**'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, 'static'));
      reply.header('Cache-Control', hashed ? `public, max-age=${yearInSeconds}, immutable` : 'no-cache');
    },
  });
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page);
  app.get('/', sendPage);
  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || pathname === '/api' || pathname.startsWith('/api/') || pathname.startsWith('/static/'))
      return respondNotFound();
    return sendPage(request, reply);
  });
}
