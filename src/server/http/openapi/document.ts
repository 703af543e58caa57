import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/definitions/registry';
import type { DocumentedCall } from '../../routing/call-description';
import { documentedPaths } from './documented-paths';
import { resourcePaths } from './paths';
import type { Json } from './record-schemas';
import { errorCodes } from '../../errors/codes';

const codeList = Object.entries(errorCodes)
  .map(([code, meaning]) => `${code}: ${meaning}`)
  .join('\n');

const dateTime = { type: 'string', format: 'date-time' };

const description =
  'Generated from the active definitions, for what you may use. POST /login with email and password returns a token; ' +
  'send it as Authorization: Bearer.';

/** Builds the OpenAPI 3.1 document from the active definitions, reduced to what the actor may use. */
export function openApiDocument(
  actor: Actor,
  registry: Registry,
  { title, url }: { readonly title: string; readonly url: string },
  calls: readonly DocumentedCall[] = [],
): Json {
  const definitions = [...registry.definitions.values()].sort((a, b) => a.labels.many.localeCompare(b.labels.many));
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    servers: [{ url: `${url}/api` }],
    security: [{ bearer: [] }],
    paths: mergePaths([
      ...definitions.map((definition) => resourcePaths(actor, definition, registry)),
      documentedPaths(actor, registry, calls),
    ]),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: {
          type: 'object',
          required: ['message', 'code'],
          properties: {
            message: { type: 'string', description: 'Message for the user.' },
            code: { type: 'string', enum: Object.keys(errorCodes), description: codeList },
            errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'Messages by field.' },
          },
        },
        History: {
          type: 'object',
          properties: {
            data: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  old_values: { type: ['object', 'null'] },
                  new_values: { type: ['object', 'null'] },
                  event: { type: 'string' },
                  user: { type: ['object', 'null'], properties: { id: { type: 'integer' }, name: { type: 'string' } } },
                  created_at: dateTime,
                },
              },
            },
          },
        },
        Choices: {
          type: 'object',
          properties: {
            data: {
              type: 'array',
              items: {
                type: 'object',
                required: ['id', 'title'],
                properties: {
                  id: { type: 'integer' },
                  title: { type: 'string' },
                  detail: { type: 'string', description: 'Distinguishes it from others with the same title.' },
                  near: {
                    enum: ['shared', 'yours', 'recent'],
                    description:
                      'Why it comes first: it shares a relation with the current record, it is yours, or it was chosen recently.',
                  },
                },
              },
            },
          },
        },
      },
    },
  };
}

/** Merges paths from several sources; later ones override earlier ones. */
function mergePaths(all: readonly Record<string, Json>[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [path, methods] of all.flatMap(Object.entries) as [string, Json][]) {
    paths[path] = { ...paths[path], ...methods };
  }
  return paths;
}
