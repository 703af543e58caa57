import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/registry/registry';
import type { DocumentedCall } from '../../routing/call-description';
import { DocumentBuilder } from './builder';
import { addDeclaredCalls } from './declared-calls';
import { addRecordCalls } from './record-calls';
import type { Json } from './schema-parts';
import { addSharedSchema } from './shared-parts';

const description =
  'Generated from the active definitions, for what you may use. POST /login with email and password returns a token; ' +
  'send it as Authorization: Bearer.';

const scopeDescription =
  'The names are scopes, of which service accounts that are limited to scopes need one: users.list, or *.list for that ' +
  'of any module. No scope opens a call without one: it is about a person, or for those whose level says so.';

interface DocumentOptions {
  readonly title: string;
  readonly url: string;
  /** Only these resources and the sign-in. */
  readonly resources?: readonly string[];
  /** The calls that all or several resources have are written once, and those of screens are left out. */
  readonly generic?: boolean;
}

/**
 * Builds the OpenAPI 3.1 document from the active definitions, reduced to what the actor may use: all calls, or those
 * of some resources and the sign-in.
 */
export function openApiDocument(
  actor: Actor,
  registry: Registry,
  { title, url, resources, generic: isGeneric = false }: DocumentOptions,
  calls: readonly DocumentedCall[] = [],
): Json {
  const builder = new DocumentBuilder(actor, registry, isGeneric);
  // Calls that are declared beside their routes refer to them by name.
  addSharedSchema(builder, 'History');
  addSharedSchema(builder, 'Choices');
  const definitions = [...registry.definitions.values()]
    .filter(({ name }) => resources?.includes(name) ?? true)
    .sort((a, b) => a.labels.many.localeCompare(b.labels.many));
  const headings = new Set(definitions.map(({ labels }) => labels.many));
  addRecordCalls(builder, definitions);
  addDeclaredCalls(
    builder,
    resources || isGeneric ? calls.filter(({ id, tag }) => id === 'login' || headings.has(tag)) : calls,
  );
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    servers: [{ url: `${url}/api` }],
    security: [{ bearer: [] }],
    paths: builder.paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: scopeDescription } },
      ...builder.components(),
    },
  };
}
