import type { Definition, Field, RequestDefinition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { isShareLink } from '../../../engine/field-types/share-link';
import { fileValueSchema, formContent } from './file-paths';
import { nullable, valueSchema, type Json } from './record-schemas';
import { typeName, type Components, type Reference } from './components';
import { idempotencyParameters, idParameter, problemResponses, securityOf } from './responses';

/**
 * The paths of a definition's requests on a record, and of its share link; `response` is the record as stored, `type`
 * its name. `grouped`: those that ask for nothing are one path, with the request as a parameter, and the calls of
 * share links are left out, which all resources have alike.
 */
export function requestPaths(
  definition: Definition,
  registry: Registry,
  components: Components,
  {
    type,
    response,
    grouped = false,
  }: { readonly type: string; readonly response: Reference; readonly grouped?: boolean },
): Record<string, Json> {
  const { name, labels } = definition;
  const call = (id: string, summary: string, rest: Json = {}): Json => ({
    operationId: `${id}-${name}`,
    tags: [labels.many],
    summary,
    ...securityOf([`${name}.edit`]),
    parameters: idempotencyParameters(components),
    ...rest,
    responses: { 200: response, ...problemResponses(components) },
  });
  const all = Object.values(definition.requests);
  const prefix = `${name}-`;
  const plain = grouped ? all.filter((one) => asksNothing(one) && one.path.startsWith(prefix)) : [];
  const together = plain.length > 1 ? plain : [];
  const requests = all
    .filter((one) => !together.includes(one))
    .map((request): [string, Json] => [
      `/${request.path}`,
      {
        parameters: [idParameter(components)],
        patch: call(request.name, `${request.label} of a ${labels.one}`, {
          ...(asksNothing(request)
            ? {}
            : { requestBody: requestBody(definition, request, registry, components, type) }),
        }),
      },
    ]);
  const links = !grouped && hasShareLink(definition);
  return {
    ...Object.fromEntries(requests),
    ...(together.length > 0 && {
      [`/${prefix}{request}/{id}`]: {
        parameters: [
          {
            name: 'request',
            in: 'path',
            required: true,
            description: together.map((one) => `${one.path.slice(prefix.length)}: ${one.label}`).join(' · '),
            schema: { type: 'string', enum: together.map((one) => one.path.slice(prefix.length)) },
          },
          idParameter(components),
        ],
        patch: call('request', `A request of a ${labels.one}`),
      },
    }),
    ...(links && {
      [`/${name}/{id}/share`]: {
        parameters: [idParameter(components)],
        post: call('share', `Create a new share link of a ${labels.one}`),
        delete: call('unshare', `Remove the share link of a ${labels.one}`),
      },
    }),
  };
}

/** Whether records of a definition have public links. */
export const hasShareLink = ({ fields }: Definition): boolean => Object.values(fields).some(isShareLink);

const asksNothing = ({ sets, adds }: RequestDefinition): boolean => sets.length === 0 && adds === null;

/** Fields that are hidden from some callers are not required. */
function requestBody(
  definition: Definition,
  request: RequestDefinition,
  registry: Registry,
  components: Components,
  type: string,
): Reference {
  const target = request.adds ? registry.getOrThrow(request.adds.resource) : undefined;
  const fields = [
    ...request.sets.map((name) => definition.fields[name]!),
    ...(request.adds?.fields ?? []).map((name) => target!.fields[name]!),
  ];
  const isRequired = ({ name }: Field) => request.required.includes(name);
  const required = fields.filter((field) => isRequired(field) && !request.visible[field.name]);
  const properties = fields.map((field) => [
    field.name,
    fileValueSchema(field, valueSchema(field), components) ??
      (isRequired(field) ? valueSchema(field) : nullable(valueSchema(field), field)),
  ]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  };
  const named = components.add('schemas', type + typeName(request.name), schema);
  return components.add('requestBodies', type + typeName(request.name), {
    required: true,
    content: { 'application/json': { schema: named }, ...formContent(fields) },
  });
}
