import type { Definition, Field, RequestDefinition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { isShareLink } from '../../../engine/field-types/share-link';
import { nullable, valueSchema, type Json } from './record-schemas';
import { writeErrors, idempotencyParameters, idParameter, notFoundError, commonErrors } from './responses';

/**
 * The paths of a definition's requests on a record, and of its share link; `record` is the schema of a record in
 * responses.
 */
export function requestPaths(definition: Definition, registry: Registry, record: Json): Record<string, Json> {
  const { name, labels } = definition;
  const call = (id: string, summary: string, rest: Json = {}): Json => ({
    operationId: `${id}-${name}`,
    tags: [labels.many],
    summary,
    parameters: idempotencyParameters,
    ...rest,
    responses: {
      '200': { description: 'As stored.', content: { 'application/json': { schema: record } } },
      ...commonErrors,
      ...notFoundError,
      ...writeErrors,
    },
  });
  const requests = Object.values(definition.requests).map((request): [string, Json] => [
    `/${request.path}`,
    {
      parameters: [idParameter],
      patch: call(request.name, `${request.label} of a ${labels.one}`, {
        requestBody: requestBody(definition, request, registry),
      }),
    },
  ]);
  const links = Object.values(definition.fields).some(isShareLink);
  return {
    ...Object.fromEntries(requests),
    ...(links && {
      [`/${name}/{id}/share`]: {
        parameters: [idParameter],
        post: call('share', `Create a new share link of a ${labels.one}`),
        delete: call('unshare', `Remove the share link of a ${labels.one}`),
      },
    }),
  };
}

/** Fields that are hidden from some callers are not required. */
function requestBody(definition: Definition, request: RequestDefinition, registry: Registry): Json {
  const target = request.adds ? registry.getOrThrow(request.adds.resource) : undefined;
  const fields = [
    ...request.sets.map((name) => definition.fields[name]!),
    ...(request.adds?.fields ?? []).map((name) => target!.fields[name]!),
  ];
  const isRequired = ({ name }: Field) => request.required.includes(name);
  const required = fields.filter((field) => isRequired(field) && !request.visible[field.name]);
  const properties = fields.map((field) => [
    field.name,
    isRequired(field) ? valueSchema(field) : nullable(valueSchema(field), field),
  ]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  };
  return { required: true, content: { 'application/json': { schema } } };
}
