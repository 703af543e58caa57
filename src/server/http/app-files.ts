import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnknownPath } from './error-handler';

const year = 365 * 24 * 3600;

/**
 * The browser application: its files, and its page for every other path that is not the API's. Files with a hash in
 * their name are kept for a year, the page itself is asked for each time.
 */
export async function registerAppFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(answerUnknownPath);
    return;
  }
  const page = readFileSync(join(folder, 'index.html'));
  await app.register(files, {
    root: folder,
    wildcard: false,
    index: false,
    // The build puts compressed forms beside the files.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}', '.vite/**'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, 'static'));
      reply.header('Cache-Control', hashed ? `public, max-age=${year}, immutable` : 'no-cache');
    },
  });
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page);
  app.get('/', sendPage);
  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || pathname === '/api' || pathname.startsWith('/api/') || pathname.startsWith('/static/'))
      return answerUnknownPath();
    return sendPage(request, reply);
  });
}
