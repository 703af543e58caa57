import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import files from '@fastify/static';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../../accounts/session/caller-context';
import type { Program } from '../../program';
import { BadRequest } from '../../errors/errors';
import { anyScope } from '../../routing/call-scope';
import { defineCall, typedApi } from '../../routing/define-call';
import { openApiDocument } from './document';
import { docsPage, docsScript, docsStyle, viewerPath } from './page';

const require = createRequire(import.meta.url);
const viewerPackage = require.resolve('@fastify/swagger-ui/package.json');
const { version } = require(viewerPackage) as { version: string };

const documentCall = defineCall({
  id: 'openapi',
  scope: anyScope,
  tag: 'Screens',
  summary: 'This document: the calls that you may use',
  querystring: Type.Object({
    resources: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Only the calls of these resources and the sign-in, separated by commas, as in users,roles.',
      }),
    ),
    paths: Type.Optional(
      Type.Enum(['generic'], {
        description:
          'generic: the calls that all resources have are written once, as /{resource}; the schema Resources says which types belong to which resource. For generators of types: a fraction of the length.',
      }),
    ),
  }),
  answer: Type.Object({}),
});
const documentation = { config: { undeclared: 'is a file of the documentation' } } as const;

/** `GET openapi.json`, and `GET docs`: a page that shows it to users who are signed in in this browser, with calls to try. */
export async function registerOpenApi(api: FastifyInstance, program: Program): Promise<void> {
  typedApi(api).get('/openapi.json', documentCall, async (request) => {
    const { actor, registry } = await requestContextOf(program, request);
    const resources = request.query.resources?.split(',').map((name) => name.trim());
    const unknown = resources?.find((name) => !registry.get(name));
    if (unknown !== undefined) throw new BadRequest(`resources: there is no resource ${JSON.stringify(unknown)}.`);
    return openApiDocument(
      actor,
      registry,
      {
        title: program.product.title,
        url: program.settings.publicUrl,
        ...(resources && { resources }),
        generic: request.query.paths === 'generic',
      },
      api.describedCalls,
    );
  });
  const parts = [
    ['/docs', 'text/html', docsPage(version)],
    ['/docs.js', 'text/javascript', docsScript],
    ['/docs.css', 'text/css', docsStyle],
  ] as const;
  for (const [path, type, text] of parts) {
    api.get(path, documentation, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('Cache-Control', 'no-cache').send(text),
    );
  }
  // Of the viewer's package its files alone: its plugin would serve one document to everybody.
  await api.register(files, { root: join(dirname(viewerPackage), 'static'), serve: false });
  const viewer = viewerPath(version).slice('/api'.length);
  for (const [path, file] of [
    [`${viewer}.js`, 'swagger-ui-bundle.js'],
    [`${viewer}.css`, 'swagger-ui.css'],
  ] as const) {
    api.get(path, documentation, (_request, reply) => reply.sendFile(file, { maxAge: '1y', immutable: true }));
  }
}
