import type { FastifyInstance } from 'fastify';
import type { Definition, RequestDefinition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { parseId } from '../../engine/field-types/relation';
import { assertGranted } from '../access/access-filter';
import type { Program } from '../program';
import { withStoredUploads } from '../records/files/record-files';
import { parsePlacement } from '../records/write/board-places';
import { addedFields, runRequest, requestUploads } from '../records/write/run-request';
import { updateShareLink } from '../records/write/share-link';
import { NotFound } from '../errors/errors';
import { runIdempotent } from '../idempotency/run-idempotent';
import { recordFormPermission, readBody } from '../routing/read-body';
import { atomic, changeRecord, wrapInEnvelope } from './resource-routes';
import { requestContextOf } from '../accounts/session/caller-context';

type OnRecord = { Params: { resource: string; id: string }; Querystring: Record<string, unknown> };

/**
 * Routes of requests that definitions declare (`PATCH task/{id}`), and of share links of records. `PATCH tasks/{id}`,
 * with the path of a record, changes it as PUT does.
 */
export function registerRequestRoutes(app: FastifyInstance, program: Program): void {
  app.patch<OnRecord>(
    '/:resource/:id',
    { ...atomic, config: { ...atomic.config, forms: true } },
    async (request, reply) => {
      const context = await requestContextOf(program, request);
      const foundRequest = findRequest(context.registry, request.params.resource);
      if (!foundRequest) return changeRecord(context, request, reply);
      const { definition, requestDefinition } = foundRequest;
      const id = parsePathId(request.params.id);
      assertGranted(context, definition, 'edit');
      const placement = parsePlacement({ context, definition }, request.query, requestDefinition);
      const additionalFields = addedFields(context.registry, requestDefinition);
      const body = await readBody(request, recordFormPermission(context.actor, definition, additionalFields));
      // Files are stored before the transaction of a call with an Idempotency-Key starts, so that it does not wait for
      // the storage.
      return withStoredUploads(context, requestUploads({ context, definition }, requestDefinition, body), () =>
        runIdempotent(context, request, reply, body, async (idempotentContext) =>
          wrapInEnvelope(
            request,
            definition,
            await runRequest({ context: idempotentContext, definition }, requestDefinition, id, body, placement),
          ),
        ),
      );
    },
  );

  for (const [method, isShared] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route<OnRecord>({
      method,
      url: '/:resource/:id/share',
      ...atomic,
      handler: async (request, reply) => {
        const context = await requestContextOf(program, request);
        const definition = context.registry.get(request.params.resource);
        if (!definition) throw new NotFound();
        const id = parsePathId(request.params.id);
        return runIdempotent(context, request, reply, undefined, async (idempotentContext) =>
          wrapInEnvelope(
            request,
            definition,
            await updateShareLink({ context: idempotentContext, definition }, id, isShared),
          ),
        );
      },
    });
  }
}

/** Finds the declared request with this path. */
function findRequest(
  registry: Registry,
  first: string,
): { definition: Definition; requestDefinition: RequestDefinition } | undefined {
  for (const definition of registry.definitions.values()) {
    const requestDefinition = Object.values(definition.requests).find(({ path }) => path === `${first}/{id}`);
    if (requestDefinition) return { definition, requestDefinition };
  }
  return undefined;
}

function parsePathId(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new NotFound();
  return id;
}
