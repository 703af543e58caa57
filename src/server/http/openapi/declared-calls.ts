import { Type, type TObject } from 'typebox';
import type { Actor } from '../../../engine/access/actor';
import type { CallVariant, DocumentedCall } from '../../routing/call-description';
import { hasScope } from '../../routing/call-scope';
import { isRequired, ownKeywords } from '../../routing/validate-call';
import { idempotencyHeader } from '../../idempotency/header';
import type { DocumentBuilder } from './builder';
import { inPath, inQuery, recordId, text, typeName, type NamedPart } from './schema-parts';
import { sharedParameters } from './shared-parts';

/**
 * Adds the calls that are declared next to their routes, as far as the actor may use them. A call of several modules is
 * added for each of them, or with generic paths as one call whose path names the module.
 */
export function addDeclaredCalls(builder: DocumentBuilder, calls: readonly DocumentedCall[]): void {
  const { actor, registry, isGeneric } = builder;
  for (const call of calls) {
    if (!(call.shownTo?.(actor, registry) ?? true) || !isOpen(actor, call)) continue;
    const variants = call.variants?.(actor, registry).filter(({ type }) => isOpen(actor, call, type));
    if (!variants) addDeclaredCall(builder, call);
    else if (!isGeneric)
      for (const variant of variants) {
        const { type } = variant;
        const path = call.path.replace(':type', type);
        addDeclaredCall(builder, { ...call, ...variant, id: `${call.id}-${type}`, path }, type);
      }
    else if (variants.length > 0) addDeclaredCall(builder, forAnyOf(call, variants));
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

function addDeclaredCall(builder: DocumentBuilder, call: DocumentedCall, type?: string): void {
  const { method, id, tag, summary, params, querystring, headers = {}, body, answer } = call;
  const path = call.path.replace(/:(\w+)/g, '{$1}');
  const scopes = scopesOf(call, type);
  const contentOf = (schema: object, contentType = 'application/json') => ({ [contentType]: { schema } });
  builder.addCall({
    method,
    path,
    id,
    tag,
    summary,
    ...(scopes && { scopes }),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
        inPath(name!, params?.properties[name!] ?? (name === 'id' ? recordId : text)),
      ),
      ...(querystring ? queryParameters(querystring) : []),
      ...Object.entries(headers).map(([name, description]) =>
        name in idempotencyHeader
          ? sharedParameters(builder, 'Idempotency-Key')[0]!
          : { name, in: 'header', description, schema: text },
      ),
    ],
    ...(body && { body: { required: true, content: contentOf(withoutOwnKeywords(body), call.bodyType) } }),
    status: call.created ? 201 : 200,
    // By a name of its own: types have it once, also where several calls answer the same.
    response: builder.reuse('responses', typeName(id), {
      description: 'The response.',
      content: contentOf(answer, call.answerType),
    }),
  });
}

function queryParameters(querystring: TObject): NamedPart[] {
  return Object.entries(querystring.properties).map(([name, property]) => {
    const { description, ...schema } = withoutOwnKeywords(property) as { description?: string };
    return inQuery(name, description, schema, isRequired(querystring, name) ? { required: true } : {});
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
