import type { Actor } from '../../../engine/access/actor';
import type { Action, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { deletedIds } from './bulk-path';
import { maxBulkOperations } from '../../records/write/bulk';
import { aggregateParameters, groupsResponse } from './aggregate-path';
import { Components, type Reference } from './components';
import {
  choiceParameters,
  choicesResponse,
  historyResponse,
  printResponse,
  similarParameters,
  similarResponse,
  usesResponse,
  successorParameter,
  versionParameter,
  restoreSchema,
} from './history-and-choices';
import { listParameters } from './list-parameters';
import type { Json } from './record-schemas';
import { hasShareLink, requestPaths } from './request-paths';
import { resourceTypes, type ResourceTypes } from './resource-types';
import { idempotencyParameters, idParameter, problemResponses, securityOf } from './responses';

interface Documented {
  readonly definition: Definition;
  readonly types: ResourceTypes;
}

/**
 * The calls that all resources have, each written once with the resource as a parameter. The schema `Resources` has the
 * types of each: its record, what is sent, and its query. Requests of definitions have paths of their own, those that ask for nothing one for each resource.
 */
export function genericPaths(
  actor: Actor,
  definitions: readonly Definition[],
  registry: Registry,
  components: Components,
): Record<string, Json> {
  const documented = definitions
    .map((definition) => ({ definition, types: resourceTypes(actor, definition, registry, components) }))
    .filter(({ types }) => (['list', 'view', 'create', 'edit', 'delete'] as const).some(types.may));
  const entries = documented.map((one) => [one.definition.name, typesOf(one, components)]);
  components.add('schemas', 'Resources', objectOf(Object.fromEntries(entries) as Json));
  return Object.assign(
    sharedPaths(documented, components),
    ...documented.filter(({ types }) => types.may('edit')).map((one) => ownPaths(one, registry, components)),
  ) as Record<string, Json>;
}

function typesOf({ definition, types }: Documented, components: Components): Json {
  return objectOf({
    record: types.record,
    ...(types.input && { input: types.input }),
    ...(types.change && { change: types.change }),
    ...(types.may('list') && { query: querySchema(definition, types, components) }),
  });
}

/** What the list of a resource can be asked for: what every list can, its fields, and its parameters. */
function querySchema(definition: Definition, { type, inLists }: ResourceTypes, components: Components): Reference {
  const aside = new Components();
  const own: Json = {};
  const system: Json = {};
  const shared: Json = {};
  for (const reference of listParameters(definition, inLists, aside, type)) {
    const { name, schema } = aside.get(reference) as { name: string; schema: Json };
    const isShared = reference.$ref === `#/components/parameters/${name}`;
    const isSystem = definition.fields[name.replace(/_(from|to)$/, '')]?.system === true;
    (isShared ? shared : isSystem ? system : own)[name] = schema;
  }
  // A condition is written as text: the types of what it says are beside it.
  for (const name of ['Filter', 'Condition', 'Operators'])
    components.add('schemas', name, aside.get({ $ref: `#/components/schemas/${name}` }));
  const all = components.add('schemas', 'ListQuery', { type: 'object', properties: shared });
  const recordQuery = { type: 'object', properties: system };
  const ofRecords = components.share('schemas', 'RecordQuery', `${type}RecordQuery`, recordQuery);
  return components.add('schemas', `${type}Query`, { allOf: [all, ofRecords, { type: 'object', properties: own }] });
}

const objectOf = (properties: Json): Json => ({ type: 'object', required: Object.keys(properties), properties });

function ownPaths({ definition, types }: Documented, registry: Registry, components: Components) {
  if (Object.keys(definition.requests).length === 0) return {};
  const { envelope, labels } = definition;
  const schema = envelope ? objectOf({ [envelope]: types.record }) : types.record;
  const response = components.add('responses', types.type, { description: `A ${labels.one}.`, content: json(schema) });
  return requestPaths(definition, registry, components, { type: types.type, response, grouped: true });
}

/** A call that all resources have. */
type Call = readonly [method: string, path: string, id: string, summary: string, needs: Action, rest: Json];

/** The paths with a resource as their first part. Without an envelope all resources answer alike. */
function sharedPaths(documented: readonly Documented[], components: Components): Record<string, Json> {
  const problems = problemResponses(components);
  const anyOf = (name: string, kind: 'record' | 'input' | 'change') => {
    const schemas = documented.flatMap(({ types }) => types[kind] ?? []);
    return components.add('schemas', name, schemas.length > 0 ? { anyOf: schemas } : {});
  };
  const record = anyOf('AnyRecord', 'record');
  const plain = components.add('parameters', 'envelope.none', {
    name: 'envelope',
    in: 'query',
    required: true,
    description: 'Records as they are, without the envelope that those of some resources have otherwise.',
    schema: { type: 'string', enum: ['none'] },
  });
  const query = components.add('parameters', 'query', {
    name: 'query',
    in: 'query',
    style: 'form',
    explode: true,
    description: 'What Resources has as the query of the resource, each as a parameter of its own.',
    schema: { type: 'object' },
  });
  const answers = (status: 200 | 201, name: string, schema: Json | Reference) => ({
    [status]: components.add('responses', name, { description: 'The response.', content: json(schema) }),
    ...problems,
  });
  const one = answers(200, 'Record', record);
  const records = { type: 'array', items: record };
  const list = answers(200, 'Records', records);
  const sends = (schema: object) => ({ requestBody: { required: true, content: json(schema) } });
  const many = (items: object) => ({ type: 'array', items, maxItems: maxBulkOperations });
  const [input, change] = [anyOf('AnyInput', 'input'), anyOf('AnyChange', 'change')];
  const ids = { type: 'array', items: { type: 'integer' } };
  const bulk = { type: 'object', properties: { create: many(input), update: many(change), delete: many(ids.items) } };
  const stored = objectOf({ data: objectOf({ created: records, updated: records, deleted: ids }) });
  const writing = [...idempotencyParameters(components), plain];
  const groups = { 200: groupsResponse(components), ...problems };
  const chosen = { name: 'field', in: 'query', description: 'The field that is chosen.', schema: { type: 'string' } };
  const choices = { 200: choicesResponse(components), ...problems };
  const compared = { name: 'field', in: 'path', required: true, schema: { type: 'string' } };
  const similar = { 200: similarResponse(components), ...problems };
  const history = { 200: historyResponse(components), ...problems };
  const printing = (): Call[] => [
    [
      'get',
      '/{id}/print',
      'print',
      'A page of a record to print',
      'view',
      { responses: { 200: printResponse(components), ...problems } },
    ],
  ];
  const calls: readonly Call[] = [
    ['get', '', 'list', 'List records', 'list', { parameters: [query, plain], responses: list }],
    [
      'post',
      '',
      'create',
      'Create a record',
      'create',
      { parameters: writing, ...sends(input), responses: answers(201, 'Record', record) },
    ],
    ['get', '/{id}', 'read', 'Read a record', 'view', { parameters: [plain], responses: one }],
    [
      'patch',
      '/{id}',
      'patch',
      'Change fields of a record',
      'edit',
      { parameters: writing, ...sends(change), responses: one },
    ],
    [
      'delete',
      '/{id}',
      'delete',
      'Delete or archive a record',
      'delete',
      { parameters: [...writing, successorParameter(components)], responses: one },
    ],
    ...(documented.some(({ definition }) => definition.print) ? printing() : []),
    ['get', '/{id}/history', 'history', 'What changed in a record', 'view', { responses: history }],
    [
      'post',
      '/{id}/history/{version}/restore',
      'restore_version',
      'Bring back a version of a record',
      'edit',
      { parameters: [versionParameter, ...writing], ...sends(restoreSchema), responses: one },
    ],
    [
      'post',
      '/bulk',
      'bulk',
      'Create, change and delete records, all of them or none',
      'edit',
      {
        parameters: idempotencyParameters(components),
        ...sends(components.add('schemas', 'Bulk', bulk)),
        responses: answers(200, 'Bulk', stored),
      },
    ],
    [
      'post',
      '/restore',
      'undelete',
      'Bring back records that you deleted within the last hour, all of them or none',
      'delete',
      {
        parameters: idempotencyParameters(components),
        ...sends(deletedIds(components)),
        responses: answers(200, 'Undeleted', objectOf({ data: records })),
      },
    ],
    [
      'get',
      '/choices',
      'choices',
      'Records to choose from: ids and titles',
      'list',
      { parameters: [chosen, ...choiceParameters(components)], responses: choices },
    ],
    [
      'get',
      '/similar/{field}',
      'similar',
      'Records with a similar text in a field, the most similar first',
      'list',
      { parameters: [compared, ...similarParameters(components)], responses: similar },
    ],
    [
      'get',
      '/{id}/uses/{field}',
      'uses',
      'In how many records a record is used',
      'view',
      { parameters: [compared], responses: { 200: usesResponse(components), ...problems } },
    ],
    [
      'get',
      '/aggregate',
      'aggregate',
      'Count records and add up their fields, by groups',
      'list',
      { parameters: [query, ...aggregateParameters(components)], responses: groups },
    ],
    [
      'post',
      '/{id}/share',
      'share',
      'Create a new share link of a record',
      'edit',
      { parameters: writing, responses: one },
    ],
    [
      'delete',
      '/{id}/share',
      'unshare',
      'Remove the share link of a record',
      'edit',
      { parameters: writing, responses: one },
    ],
  ];
  const paths: Record<string, Json> = {};
  for (const [method, rest, operationId, summary, action, operation] of calls) {
    const names = documented.flatMap(({ definition, types }) =>
      types.may(action) && (only[rest]?.(definition) ?? true) ? [definition.name] : [],
    );
    if (names.length === 0) continue;
    const resource = { name: 'resource', in: 'path', required: true, schema: { type: 'string', enum: names } };
    const parameters = [
      components.share('parameters', 'resource', `resource.${only[rest] ? rest.split('/').at(-1) : action}`, resource),
      ...(rest.startsWith('/{id}') ? [idParameter(components)] : []),
      ...((operation.parameters as Json[] | undefined) ?? []),
    ];
    const path = `/{resource}${rest}`;
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId,
        tags: ['Records'],
        summary,
        ...securityOf([`{resource}.${action}`]),
        ...operation,
        parameters,
      },
    };
  }
  return paths;
}

/** The calls that only some resources have. */
const only: Readonly<Record<string, ((definition: Definition) => boolean) | undefined>> = {
  '/{id}/share': hasShareLink,
  '/{id}/print': ({ print }) => print !== undefined,
  '/restore': (definition) => !definition.archive && !definition.delete.final,
};

function json(schema: object): Json {
  return { 'application/json': { schema } };
}
