import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../mail/render';
import type { Product } from '../program';
import type { Settings } from '../settings/settings';
import { respondNotFound } from './error-handler';

const yearInSeconds = 365 * 24 * 3600;

/**
 * Serves the browser application: its files, and its page for every other path outside the API. Files with a hash in
 * their name are cached for a year; the page itself is revalidated every time. The page says which product runs and what
 * passwords must be like, so that the browser need not ask before it shows anything.
 */
export async function registerAppFiles(
  app: FastifyInstance,
  folder: string,
  product: Pick<Product, 'name' | 'title'>,
  settings: Pick<Settings, 'passwordPolicy'>,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(respondNotFound);
    return;
  }
  const page = Buffer.from(fillPage(readFileSync(join(folder, 'index.html'), 'utf8'), product, settings));
  await app.register(files, {
    root: folder,
    // Its own routes, one for each file, take as long as all others at the start.
    serve: false,
    index: false,
    // The build creates compressed variants next to the files.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'static'));
      reply.header('Cache-Control', isHashed ? `public, max-age=${yearInSeconds}, immutable` : 'no-cache');
    },
  });
  const names = new Set(filesIn(folder));
  for (const name of names) if (!name.includes('/')) app.get(`/${name}`, (_request, reply) => reply.sendFile(name));
  app.get<{ Params: { '*': string } }>('/static/*', (request, reply) => {
    const name = `static/${request.params['*']}`;
    return names.has(name) ? reply.sendFile(name) : respondNotFound();
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

/** The files of the built application that are served, by their paths in its folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !name.startsWith('.vite/'));
}

/** Puts the product's name and title, and the policy of passwords, in the place of those that the page was written with. */
function fillPage(
  page: string,
  { name, title }: Pick<Product, 'name' | 'title'>,
  { passwordPolicy }: Pick<Settings, 'passwordPolicy'>,
): string {
  const meta = (html: string, metaName: string, content: string) =>
    html.replace(
      new RegExp(`(<meta name="${metaName}" content=")[^"]*`),
      (_, prefix: string) => prefix + escapeHtml(content),
    );
  const titledPage = page.replace(/<title>[^<]*/, () => `<title>${escapeHtml(title)}`);
  const namedPage = meta(meta(titledPage, 'application-name', title), 'product', name);
  return meta(namedPage, 'password-policy', passwordPolicy);
}
