import type { FastifyInstance } from 'fastify';
import type { Definition, RequestDefinition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { readId } from '../../engine/field-types/relation';
import { mustBeGranted } from '../access/reach';
import type { Program } from '../program';
import { withUploads } from '../files/record-files';
import { requestOn, uploadsOf } from '../records/request';
import { shareRecord } from '../records/share';
import { NotFound } from '../errors/errors';
import { once } from '../idempotency/once';
import { formOf, readBody } from './read-body';
import { atomic, contextOf, wrap } from './resource-routes';

type OnRecord = { Params: { resource: string; id: string } };

/** Routes of requests that definitions declare (`PATCH task/{id}`), and of share links of records. */
export function registerRequestRoutes(app: FastifyInstance, program: Program): void {
  app.patch<OnRecord>('/:resource/:id', { config: { forms: true, atomic: true } }, async (request, reply) => {
    const context = await contextOf(program, request);
    const { definition, asked } = requestAt(context.registry, request.params.resource);
    const id = idOf(request.params.id);
    mustBeGranted(context, definition, 'edit');
    const body = await readBody(request, formOf(context.actor, definition));
    // Files are stored before the transaction of a call with an Idempotency-Key starts, so that it does not wait for
    // the storage.
    return withUploads(context, uploadsOf(context, definition, asked, body), () =>
      once(context, request, reply, body, async (within) =>
        wrap(definition, await requestOn(within, definition, asked, id, body)),
      ),
    );
  });

  for (const [method, shared] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route<OnRecord>({
      method,
      url: '/:resource/:id/share',
      ...atomic,
      handler: async (request, reply) => {
        const context = await contextOf(program, request);
        const definition = context.registry.get(request.params.resource);
        if (!definition) throw new NotFound();
        const id = idOf(request.params.id);
        return once(context, request, reply, undefined, async (within) =>
          wrap(definition, await shareRecord(within, definition, id, shared)),
        );
      },
    });
  }
}

/** Finds the declared request with this path. Throws NotFound. */
function requestAt(registry: Registry, first: string): { definition: Definition; asked: RequestDefinition } {
  for (const definition of registry.definitions.values()) {
    const asked = Object.values(definition.requests).find(({ path }) => path === `${first}/{id}`);
    if (asked) return { definition, asked };
  }
  throw new NotFound();
}

function idOf(text: string): number {
  const id = readId(text);
  if (id === undefined) throw new NotFound();
  return id;
}
