import type { Definition, Field, RequestDefinition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { typeName, type Components, type Reference } from './components';
import { fileValueSchema, formContent } from './file-schemas';
import type { Call } from './operations';
import { nullable, valueSchema } from './record-schemas';
import { inPath, json, partialOf, type Json } from './schema-parts';
import { sharedParameters } from './shared-parts';

interface RequestOptions {
  /** The name of the resource's records as a type. */
  readonly type: string;
  /** The record as stored. */
  readonly response: Reference;
  /** Those that ask for nothing are one call, with the request as a parameter of its path. */
  readonly isGrouped?: boolean;
}

/** The calls of a definition's requests on a record. */
export function requestCalls(
  definition: Definition,
  registry: Registry,
  components: Components,
  { type, response, isGrouped = false }: RequestOptions,
): Call[] {
  const { name, labels } = definition;
  const call = (key: string, path: string, summary: string, parameters: Json[] = []): Call => ({
    method: 'patch',
    path: `/${path}`,
    id: `${key}-${name}`,
    tag: labels.many,
    summary,
    scopes: [`${name}.edit`],
    pathParameters: [...parameters, ...sharedParameters(components, 'id')],
    parameters: sharedParameters(components, 'Idempotency-Key'),
    response,
  });
  const prefix = `${name}-`;
  const requests = Object.values(definition.requests);
  const plainRequests = requests.filter((request) => asksNothing(request) && request.path.startsWith(prefix));
  const group = isGrouped && plainRequests.length > 1 ? plainRequests : [];
  const keys = group.map((request) => request.path.slice(prefix.length));
  return [
    ...requests
      .filter((request) => !group.includes(request))
      .map((request) => ({
        ...call(request.name, request.path, `${request.label} of a ${labels.one}`),
        ...(!asksNothing(request) && { body: requestBody(definition, request, registry, components, type) }),
      })),
    ...(group.length > 0
      ? [
          call('request', `${prefix}{request}/{id}`, `A request of a ${labels.one}`, [
            {
              ...inPath('request', { type: 'string', enum: keys }),
              description: group.map(({ label }, index) => `${keys[index]}: ${label}`).join(' · '),
            },
          ]),
        ]
      : []),
  ];
}

const asksNothing = (request: RequestDefinition): boolean => request.sets.length === 0 && request.adds === null;

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
  const requiredFields = fields.filter((field) => isRequired(field) && !request.visible[field.name]);
  const properties = fields.map((field) => [
    field.name,
    fileValueSchema(field, valueSchema(field), components) ??
      (isRequired(field) ? valueSchema(field) : nullable(valueSchema(field), field)),
  ]);
  const name = type + typeName(request.name);
  const schema = components.add('schemas', name, {
    ...partialOf(Object.fromEntries(properties) as Json),
    ...(requiredFields.length > 0 && { required: requiredFields.map((field) => field.name) }),
  });
  return components.add('requestBodies', name, {
    required: true,
    content: { ...json(schema), ...formContent(fields) },
  });
}
