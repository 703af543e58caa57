import type { FastifyInstance } from 'fastify';
import { contextOf } from '../http/resource-routes';
import type { Program } from '../program';
import { openApiDocument } from './document';
import { docsPage, docsScript, docsStyle } from './page';

/** `GET openapi.json`, and `GET docs`: a page that shows it to users who are signed in in this browser. */
export function registerOpenApi(api: FastifyInstance, program: Program): void {
  api.get('/openapi.json', async (request) => {
    const { actor, registry } = await contextOf(program, request);
    return openApiDocument(actor, registry, program.settings.publicUrl, api.describedCalls);
  });
  const parts = [
    ['/docs', 'text/html', docsPage],
    ['/docs.js', 'text/javascript', docsScript],
    ['/docs.css', 'text/css', docsStyle],
  ] as const;
  for (const [path, type, text] of parts) {
    api.get(path, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('Cache-Control', 'no-cache').send(text),
    );
  }
}
