import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/definitions/registry';
import type { DocumentedCall } from '../../routing/call-description';
import { documentedPaths, scopeDescription } from './documented-paths';
import { genericPaths } from './generic-paths';
import { resourcePaths } from './paths';
import { choicesSchema, historySchema, type Json } from './record-schemas';
import { Components } from './components';

const description =
  'Generated from the active definitions, for what you may use. POST /login with email and password returns a token; ' +
  'send it as Authorization: Bearer.';

interface DocumentOptions {
  readonly title: string;
  readonly url: string;
  /** Only these resources and the sign-in. */
  readonly resources?: readonly string[];
  /** The calls that all or several resources have are written once (`genericPaths`), and those of screens are left out. */
  readonly generic?: boolean;
}

/**
 * Builds the OpenAPI 3.1 document from the active definitions, reduced to what the actor may use: all calls, or those
 * of some resources and the sign-in.
 */
export function openApiDocument(
  actor: Actor,
  registry: Registry,
  { title, url, resources, generic = false }: DocumentOptions,
  calls: readonly DocumentedCall[] = [],
): Json {
  const components = new Components();
  // Calls that are declared beside their routes refer to them by name.
  components.add('schemas', 'History', historySchema);
  components.add('schemas', 'Choices', choicesSchema);
  const definitions = [...registry.definitions.values()]
    .filter(({ name }) => resources?.includes(name) ?? true)
    .sort((a, b) => a.labels.many.localeCompare(b.labels.many));
  const headings = new Set(definitions.map(({ labels }) => labels.many));
  const declared = resources || generic ? calls.filter(({ id, tag }) => id === 'login' || headings.has(tag)) : calls;
  const paths = mergePaths([
    ...(generic
      ? [genericPaths(actor, definitions, registry, components)]
      : definitions.map((definition) => resourcePaths(actor, definition, registry, components))),
    documentedPaths(actor, registry, declared, components, { once: generic }),
  ]);
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    servers: [{ url: `${url}/api` }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: scopeDescription } },
      ...components.toJson(),
    },
  };
}

/** Merges paths from several sources. Where two have the same call, it accepts what either does. */
function mergePaths(all: readonly Record<string, Json>[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [path, methods] of all.flatMap(Object.entries) as [string, Json][]) {
    const merged = { ...paths[path] };
    for (const [method, operation] of Object.entries(methods) as [string, Operation][]) {
      const known = merged[method] as Operation | undefined;
      merged[method] = known ? eitherOperation(known, operation) : operation;
    }
    paths[path] = merged;
  }
  return paths;
}

interface Operation {
  readonly summary: string;
  readonly security?: readonly Json[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

/** A call that does one or the other, depending on what is sent. */
function eitherOperation(one: Operation, other: Operation): Operation {
  const responses = { ...one.responses };
  for (const [status, response] of Object.entries(other.responses)) {
    const [known, added] = [responses[status]?.content?.[json]?.schema, response.content?.[json]?.schema];
    responses[status] =
      known && added ? { ...response, content: { [json]: { schema: { anyOf: [known, added] } } } } : response;
  }
  return {
    ...one,
    summary: `${one.summary}; or: ${other.summary}`,
    ...(one.security && other.security && { security: [...one.security, ...other.security] }),
    requestBody: { ...one.requestBody, content: { ...one.requestBody?.content, ...other.requestBody?.content } },
    responses,
  };
}

const json = 'application/json';
