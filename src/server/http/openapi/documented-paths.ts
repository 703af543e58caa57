import { Type, type TObject } from 'typebox';
import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/definitions/registry';
import type { CallVariant, DocumentedCall } from '../../routing/call-description';
import { hasScope } from '../../routing/call-scope';
import { isRequired, ownKeywords } from '../../routing/validate-call';
import { idempotencyHeader } from '../../idempotency/header';
import type { Json } from './record-schemas';
import { typeName, type Components, type Reference } from './components';
import { idempotencyParameters, problemResponses, securityOf } from './responses';

const json = 'application/json';

/** How scopes are written in the document. */
export const scopeDescription =
  'The names are scopes, of which service accounts that are limited to scopes need one: users.list, or *.list for that ' +
  'of any module. No scope opens a call without one: it is about a person, or for those whose level says so.';

/**
 * The calls that are documented next to their routes, as far as the actor may use them. A call of several modules is
 * documented for each of them, or with `once` as one call whose path names the module.
 */
export function documentedPaths(
  actor: Actor,
  registry: Registry,
  calls: readonly DocumentedCall[],
  components: Components,
  { once = false } = {},
): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) {
    if (call.shownTo && !call.shownTo(actor, registry)) continue;
    if (!isOpen(actor, call)) continue;
    const variants = call.variants?.(actor, registry).filter(({ type }) => isOpen(actor, call, type));
    if (once && variants) {
      if (variants.length === 0) continue;
      const path = call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method]: operation(forAnyOf(call, variants), path, components) };
      continue;
    }
    for (const one of variants ?? [undefined]) {
      const path = (one ? call.path.replace(':type', one.type) : call.path).replace(/:(\w+)/g, '{$1}');
      const whole = one ? { ...call, ...one, id: `${call.id}-${one.type}` } : call;
      paths[path] = { ...paths[path], [call.method]: operation(whole, path, components, one?.type) };
    }
  }
  return paths;
}

/** A call of several modules as one: its path names the module, and its body has what the body of any of them has. */
function forAnyOf(call: DocumentedCall, variants: readonly CallVariant[]): DocumentedCall {
  const bodies = variants.flatMap(({ body }) => body ?? []);
  const [first] = bodies;
  const requiredIn = ({ required = [] }: { readonly required?: readonly string[] }) => required;
  const type = Type.Enum(variants.map((one) => one.type));
  return {
    ...call,
    params: Type.Object({ ...call.params?.properties, type }),
    ...(first && {
      body: {
        ...first,
        properties: Object.assign({}, ...bodies.map(({ properties }) => properties)) as TObject['properties'],
        required: requiredIn(first).filter((name) => bodies.every((body) => requiredIn(body).includes(name))),
      } as unknown as TObject,
    }),
  };
}

/** Whether the scopes of a service account, if it is limited to some, open a call, for calls of several modules on one of them. */
function isOpen(actor: Actor, { scope, variants, grant }: DocumentedCall, type?: string): boolean {
  if (!actor.beyondScopes || scope === 'public' || (variants && type === undefined)) return true;
  if (scope === 'person' || scope === 'level') return false;
  return grant !== undefined || (scope !== undefined && hasScope(actor, scope, { type }));
}

/** Who may make a call: anybody, or with scopes, on the module if its path names one. */
function callersOf({ scope, grant }: DocumentedCall, type: string | undefined): Json {
  if (scope === 'public') return { security: [] };
  if (typeof scope === 'string') return {};
  if (grant) return securityOf([`${grant.resource}.${grant.action}`]);
  return securityOf((scope ?? []).map((name) => (type === undefined ? name : name.replace(':type', type))));
}

function operation(call: DocumentedCall, path: string, components: Components, type?: string): Json {
  const sent = call.body;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      parameter(name!, 'path', undefined, call.params?.properties[name!]),
    ),
    ...(call.querystring ? queryParameters(call.querystring) : []),
    ...Object.entries(call.headers ?? {}).map(([name, description]) =>
      name in idempotencyHeader ? idempotencyParameters(components)[0] : parameter(name, 'header', description),
    ),
  ];
  return {
    operationId: call.id,
    tags: [call.tag],
    summary: call.summary,
    ...callersOf(call, type),
    ...(parameters.length > 0 && { parameters }),
    ...(sent && {
      requestBody: { required: true, content: { [call.bodyType ?? json]: { schema: withoutOwnKeywords(sent) } } },
    }),
    responses: {
      [call.created ? '201' : '200']: answerOf(call, components),
      ...problemResponses(components),
    },
  };
}

/** The response of a call, by a name of its own: types have it once, also where several calls answer the same. */
function answerOf({ id, answer, answerType = json }: DocumentedCall, components: Components): Reference {
  return components.reuse('responses', typeName(id), {
    description: 'The response.',
    content: { [answerType]: { schema: answer } },
  });
}

function parameter(
  name: string,
  place: 'path' | 'query' | 'header',
  description?: string,
  schema: object = name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
): Json {
  return { name, in: place, ...(place === 'path' && { required: true }), ...(description && { description }), schema };
}

function queryParameters(querystring: TObject): Json[] {
  return Object.entries(querystring.properties).map(([name, property]) => {
    const { description, ...schema } = withoutOwnKeywords(property) as { description?: string };
    return {
      ...parameter(name, 'query', description, schema),
      ...(isRequired(querystring, name) && { required: true }),
    };
  });
}

/** A schema as everybody reads it: without the keywords that only `validateCalls` knows. */
function withoutOwnKeywords(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (ownKeywords.some((own) => own === name) ? undefined : value)),
  ) as object;
}
