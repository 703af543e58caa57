import type { Field, RequestDefinition } from '../../../engine/definitions/definition';
import { placeField } from '../../records/read/query/order';
import type { DocumentBuilder, Reference } from './builder';
import { fileValueSchema, formContent } from './file-schemas';
import { fieldSchema, valueSchema } from './record-schemas';
import type { Resource } from './resources';
import { inPath, json, partialOf, typeName, type Json } from './schema-parts';
import { sharedParameters } from './shared-parts';

/**
 * Adds the calls of a definition's requests on a record, which respond with the record as stored. With generic paths,
 * those that ask for nothing are one call, with the request as a parameter of its path.
 */
export function addRequestCalls(builder: DocumentBuilder, resource: Resource, response: Reference): void {
  const { name, labels, requests: requestsByName } = resource.definition;
  const requests = Object.values(requestsByName);
  const prefix = `${name}-`;
  const plainRequests = requests.filter((request) => asksNothing(request) && request.path.startsWith(prefix));
  const isPlacing = ({ sets }: RequestDefinition) =>
    placeField(resource.definition) !== undefined && sets.includes(resource.definition.list.kanban!.column);
  const group = builder.isGeneric && plainRequests.length > 1 ? plainRequests : [];
  const add = (key: string, path: string, summary: string, parameters: Json[], body?: Reference, isPlacing = false) =>
    builder.addCall({
      method: 'patch',
      path: `/${path}`,
      id: `${key}-${name}`,
      tag: labels.many,
      summary,
      scopes: [`${name}.edit`],
      pathParameters: [...parameters, ...sharedParameters(builder, 'id')],
      parameters: [
        ...sharedParameters(builder, 'Idempotency-Key'),
        ...(isPlacing ? sharedParameters(builder, 'placement.after', 'placement.sort_by') : []),
      ],
      ...(body && { body }),
      response,
    });
  for (const request of requests.filter((candidate) => !group.includes(candidate))) {
    const body = asksNothing(request) ? undefined : requestBody(builder, resource, request);
    add(request.name, request.path, `${request.label} of a ${labels.one}`, [], body, isPlacing(request));
  }
  if (group.length === 0) return;
  const keys = group.map(({ path }) => path.slice(prefix.length));
  const description = group.map(({ label }, index) => `${keys[index]}: ${label}`).join(' · ');
  const parameter = { ...inPath('request', { type: 'string', enum: keys }), description };
  add('request', `${prefix}{request}/{id}`, `A request of a ${labels.one}`, [parameter]);
}

const asksNothing = (request: RequestDefinition): boolean => request.sets.length === 0 && request.adds === null;

/** Fields that are hidden from some callers are not required. */
function requestBody(builder: DocumentBuilder, { definition, type }: Resource, request: RequestDefinition): Reference {
  const target = request.adds && builder.registry.getOrThrow(request.adds.resource);
  const fields = [
    ...request.sets.map((name) => definition.fields[name]!),
    ...(request.adds?.fields ?? []).map((name) => target!.fields[name]!),
  ];
  const isRequired = ({ name }: Field) => request.required.includes(name);
  const required = fields.filter((field) => isRequired(field) && !request.visible[field.name]).map(({ name }) => name);
  const properties = fields.map((field) => {
    const schema = valueSchema(field);
    const requiredSchema = isRequired(field) && (fileValueSchema(builder, field, schema) ?? schema);
    return [field.name, requiredSchema || fieldSchema(builder, field, schema)];
  });
  const name = type + typeName(request.name);
  const schema = builder.add('schemas', name, {
    ...partialOf(Object.fromEntries(properties) as Json),
    ...(required.length > 0 && { required }),
  });
  return builder.add('requestBodies', name, { required: true, content: { ...json(schema), ...formContent(fields) } });
}
