import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/registry/registry';
import type { DocumentedCall } from '../../routing/call-description';
import { Components } from './components';
import { addDeclaredCalls, scopeDescription } from './declared-calls';
import type { Paths } from './operations';
import { addGenericCalls, addResourceCalls } from './record-calls';
import type { Json } from './schema-parts';
import { addSharedSchema } from './shared-parts';

const description =
  'Generated from the active definitions, for what you may use. POST /login with email and password returns a token; ' +
  'send it as Authorization: Bearer.';

interface DocumentOptions {
  readonly title: string;
  readonly url: string;
  /** Only these resources and the sign-in. */
  readonly resources?: readonly string[];
  /** The calls that all or several resources have are written once (`addGenericCalls`), and those of screens are left out. */
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
  addSharedSchema(components, 'History');
  addSharedSchema(components, 'Choices');
  const definitions = [...registry.definitions.values()]
    .filter(({ name }) => resources?.includes(name) ?? true)
    .sort((a, b) => a.labels.many.localeCompare(b.labels.many));
  const headings = new Set(definitions.map(({ labels }) => labels.many));
  const declaredCalls =
    resources || generic ? calls.filter(({ id, tag }) => id === 'login' || headings.has(tag)) : calls;
  const caller = { actor, registry };
  const paths: Paths = {};
  const addRecordCalls = generic ? addGenericCalls : addResourceCalls;
  addRecordCalls(paths, caller, definitions, components);
  addDeclaredCalls(paths, caller, declaredCalls, components, generic);
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
