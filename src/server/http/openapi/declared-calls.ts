import { Type, type TObject } from 'typebox';
import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/registry/registry';
import type { CallVariant, DocumentedCall } from '../../routing/call-description';
import { hasScope } from '../../routing/call-scope';
import { isRequired, ownKeywords } from '../../routing/validate-call';
import { idempotencyHeader } from '../../idempotency/header';
import { typeName, type Components, type Reference } from './components';
import { addCall, type Call, type Paths } from './operations';
import { recordId, text, type Json } from './schema-parts';
import { sharedParameters } from './shared-parts';

/** How scopes are written in the document. */
export const scopeDescription =
  'The names are scopes, of which service accounts that are limited to scopes need one: users.list, or *.list for that ' +
  'of any module. No scope opens a call without one: it is about a person, or for those whose level says so.';

/**
 * Adds the calls that are declared next to their routes, as far as the actor may use them. A call of several modules is
 * added for each of them, or with `isGeneric` as one call whose path names the module.
 */
export function addDeclaredCalls(
  paths: Paths,
  { actor, registry }: { readonly actor: Actor; readonly registry: Registry },
  calls: readonly DocumentedCall[],
  components: Components,
  isGeneric: boolean,
): void {
  for (const call of calls) {
    if (call.shownTo && !call.shownTo(actor, registry)) continue;
    if (!isOpen(actor, call)) continue;
    const variants = call.variants?.(actor, registry).filter(({ type }) => isOpen(actor, call, type));
    if (!variants) addCall(paths, callOf(call, components), components);
    else if (!isGeneric)
      for (const variant of variants) {
        const { type } = variant;
        const path = call.path.replace(':type', type);
        addCall(paths, callOf({ ...call, ...variant, id: `${call.id}-${type}`, path }, components, type), components);
      }
    else if (variants.length > 0) addCall(paths, callOf(forAnyOf(call, variants), components), components);
  }
}

/** A call of several modules as one: its path names the module, and its body has what the body of any of them has. */
function forAnyOf(call: DocumentedCall, variants: readonly CallVariant[]): DocumentedCall {
  const bodies = variants.flatMap(({ body }) => body ?? []);
  const [first] = bodies;
  const requiredIn = ({ required = [] }: { readonly required?: readonly string[] }) => required;
  const type = Type.Enum(variants.map((variant) => variant.type));
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

/** The scopes of which a call needs one, on the module if its path names one; undefined where no scope opens it. */
function scopesOf({ scope, grant }: DocumentedCall, type: string | undefined): readonly string[] | undefined {
  if (scope === 'public') return [];
  if (typeof scope === 'string') return undefined;
  if (grant) return [`${grant.resource}.${grant.action}`];
  return (scope ?? []).map((name) => (type === undefined ? name : name.replace(':type', type)));
}

function callOf(call: DocumentedCall, components: Components, type?: string): Call {
  const { method, id, tag, summary, body } = call;
  const path = call.path.replace(/:(\w+)/g, '{$1}');
  const scopes = scopesOf(call, type);
  const parameters: (Json | Reference)[] = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      parameter(name!, 'path', undefined, call.params?.properties[name!]),
    ),
    ...(call.querystring ? queryParameters(call.querystring) : []),
    ...Object.entries(call.headers ?? {}).map(([name, description]) =>
      name in idempotencyHeader
        ? sharedParameters(components, 'Idempotency-Key')[0]!
        : parameter(name, 'header', description),
    ),
  ];
  return {
    method,
    path,
    id,
    tag,
    summary,
    ...(scopes && { scopes }),
    parameters,
    ...(body && {
      body: {
        required: true,
        content: { [call.bodyType ?? 'application/json']: { schema: withoutOwnKeywords(body) } },
      },
    }),
    status: call.created ? 201 : 200,
    response: responseOf(call, components),
  };
}

/** The response of a call, by a name of its own: types have it once, also where several calls answer the same. */
function responseOf(
  { id, answer, answerType = 'application/json' }: DocumentedCall,
  components: Components,
): Reference {
  return components.reuse('responses', typeName(id), {
    description: 'The response.',
    content: { [answerType]: { schema: answer } },
  });
}

function parameter(
  name: string,
  location: 'path' | 'query' | 'header',
  description?: string,
  schema: object = name === 'id' ? recordId : text,
): Json {
  return {
    name,
    in: location,
    ...(location === 'path' && { required: true }),
    ...(description && { description }),
    schema,
  };
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
    JSON.stringify(schema, (name, value: unknown) =>
      ownKeywords.some((keyword) => keyword === name) ? undefined : value,
    ),
  ) as object;
}
