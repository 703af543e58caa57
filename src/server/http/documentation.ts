import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the built documentation under `/docs`, and its list of pages for language models as `/llms.txt`. It is the same
 * for everybody and needs no sign-in. Without a build there are no routes.
 */
export async function registerDocumentation(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  await app.register(files, { root: folder, serve: false, index: false, preCompressed: true, cacheControl: false });
  const names = new Map(filesIn(folder).map((name) => [addressOf(name), name]));
  const notFoundPage = readFileSync(join(folder, '404.html'));
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache');
  });
  app.get('/docs', (_request, reply) => reply.sendFile('index.html'));
  app.get('/llms.txt', (_request, reply) => reply.sendFile('llms.txt'));
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const name = names.get(request.params['*'].replace(/\/$/, ''));
    if (name !== undefined) return reply.sendFile(name);
    return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage);
  });
}

/** The address below `/docs/` of a file: pages are named without `.html`, that of a folder by the folder. */
function addressOf(name: string): string {
  return name.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
}

/** The files that are served, by their paths in the folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}
