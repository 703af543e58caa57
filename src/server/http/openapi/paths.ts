import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { isComparedText } from '../../../engine/field-types/text';
import { narrowingFields } from '../../../engine/forms/similar-records';
import type { Components, Reference } from './components';
import { aggregatePath, treeOperation } from './aggregate-path';
import { bulkPath } from './bulk-path';
import { exportPath } from './export-path';
import {
  envelopeParameter,
  fieldsParameter,
  listParameters,
  queryParameters,
  searchParameters,
} from './list-parameters';
import { filePath, formContent } from './file-paths';
import {
  choiceParameters,
  choicesResponse,
  historyResponse,
  printResponse,
  similarParameters,
  similarResponse,
  usesResponse,
  assignedIdsParameter,
  assignmentsResponse,
  successorParameter,
  versionParameter,
  restoreSchema,
} from './history-and-choices';
import type { Json } from './record-schemas';
import { requestPaths } from './request-paths';
import { resourceTypes } from './resource-types';
import { idempotencyParameters, idParameter, problemResponses, securityOf } from './responses';

/** The calls of one resource, and the actions of which its caller needs one. */
const actionsOf = {
  list: ['list'],
  create: ['create'],
  read: ['view'],
  change: ['edit'],
  patch: ['edit'],
  delete: ['delete'],
  restore: ['edit'],
  history: ['view'],
  print: ['view'],
  restore_version: ['edit'],
  choices: ['list', 'create', 'edit'],
  similar: ['create', 'edit'],
  uses: ['view'],
  assignments: ['delete'],
} as const satisfies Record<string, readonly Action[]>;
type Verb = keyof typeof actionsOf;

/** The paths of one resource, with the operations that the actor may use. */
export function resourcePaths(
  actor: Actor,
  definition: Definition,
  registry: Registry,
  components: Components,
): Record<string, Json> {
  const { name, labels } = definition;
  const {
    type,
    record,
    input,
    change: changes,
    may,
    inLists,
    inOne,
  } = resourceTypes(actor, definition, registry, components);
  const one = components.add('responses', type, {
    description: `A ${labels.one}.`,
    content: json(inEnvelope(definition, record)),
  });
  const problems = problemResponses(components);
  const envelope = definition.envelope ? [envelopeParameter(components)] : [];
  const writing = [...idempotencyParameters(components), ...envelope];
  const operation = (verb: Verb, summary: string, rest: Json): Json => ({
    operationId: `${verb}-${name}`,
    tags: [labels.many],
    summary,
    ...securityOf(actionsOf[verb].filter(may).map((action) => `${name}.${action}`)),
    ...rest,
  });
  const body = (sentType: 'Input' | 'Change', schema: Reference) =>
    components.add('requestBodies', type + sentType, {
      ...(sentType === 'Change' && {
        description: 'Fields that are left out keep their values: PUT and PATCH do the same.',
      }),
      required: true,
      content: { ...json(schema), ...formContent(Object.values(definition.fields)) },
    });
  const fieldsOfOne = fieldsParameter(definition, 'one', inOne, components, type);

  const collection: Json = {
    ...(may('list') && {
      get: operation('list', `List ${labels.many}`, {
        parameters: [...listParameters(definition, inLists, components, type), ...envelope],
        responses: {
          200: components.add('responses', `${type}List`, {
            description: 'A page of records.',
            headers: { 'Content-Range': { description: 'As in items 0-14/1234.', schema: { type: 'string' } } },
            content: json(inEnvelope(definition, { type: 'array', items: record })),
          }),
          ...problems,
        },
      }),
    }),
    ...(input && {
      post: operation('create', `Create a ${labels.one}`, {
        parameters: writing,
        requestBody: body('Input', input),
        responses: { 201: one, ...problems },
      }),
    }),
  };
  const change = (verb: Verb, summary: string, schema: Reference): Json =>
    operation(verb, summary, {
      parameters: writing,
      requestBody: body('Change', schema),
      responses: { 200: one, ...problems },
    });
  const single: Json = {
    ...(may('view') && {
      get: operation('read', `Read a ${labels.one}`, {
        parameters: [fieldsOfOne, ...envelope],
        responses: { 200: one, ...problems },
      }),
    }),
    ...(changes && {
      put: change('change', `Change a ${labels.one}`, changes),
      patch: change('patch', `Change fields of a ${labels.one}`, changes),
    }),
    ...(may('delete') && {
      delete: operation('delete', `${definition.archive ? 'Archive' : 'Delete'} a ${labels.one}`, {
        parameters: [...writing, ...(definition.delete.keep ? [successorParameter(components)] : [])],
        responses: { 200: one, ...problems },
      }),
    }),
  };
  const id = [idParameter(components)];
  const chosen = Object.values(definition.fields).filter((field) => field.to && !field.system);
  const choosesFields = chosen.length > 0 && (may('create') || may('edit'));
  return withoutEmpty({
    [`/${name}`]: collection,
    [`/${name}/{id}`]: Object.keys(single).length > 0 ? { parameters: id, ...single } : {},
    [`/${name}/{id}/restore`]:
      definition.archive && may('edit')
        ? {
            parameters: id,
            patch: operation('restore', `Restore a ${labels.one}`, {
              parameters: writing,
              responses: { 200: one, ...problems },
            }),
          }
        : {},
    [`/${name}/{id}/history`]: may('view')
      ? {
          parameters: id,
          get: operation('history', `What changed in a ${labels.one}`, {
            responses: { 200: historyResponse(components), ...problems },
          }),
        }
      : {},
    [`/${name}/{id}/print`]:
      may('view') && definition.print
        ? {
            parameters: id,
            get: operation('print', `A page of a ${labels.one} to print`, {
              responses: { 200: printResponse(components), ...problems },
            }),
          }
        : {},
    [`/${name}/{id}/history/{version}/restore`]:
      may('edit') && definition.history
        ? {
            parameters: [...id, versionParameter],
            post: operation('restore_version', `Bring back a version of a ${labels.one}`, {
              parameters: writing,
              requestBody: { content: json(restoreSchema) },
              responses: { 200: one, ...problems },
            }),
          }
        : {},
    ...filePath({ actor, registry }, definition, components),
    ...bulkPath(definition, components, {
      type,
      record,
      input,
      change: changes,
      deletes: may('delete'),
      fields: fieldsOfOne,
    }),
    [`/${name}/choices`]:
      may('list') || choosesFields
        ? {
            get: operation('choices', choicesSummary(definition, may('list'), choosesFields), {
              parameters: [
                ...(choosesFields
                  ? [
                      fieldParameter(
                        chosen.map((field) => field.name),
                        !may('list'),
                      ),
                    ]
                  : []),
                ...choiceParameters(components),
              ],
              responses: { 200: choicesResponse(components), ...problems },
            }),
          }
        : {},
    ...(may('delete') &&
      definition.delete.keep && {
        [`/${name}/assignments`]: {
          get: operation('assignments', `How many records are assigned to ${labels.many}`, {
            parameters: [assignedIdsParameter],
            responses: { 200: assignmentsResponse(components), ...problems },
          }),
        },
      }),
    ...(may('view') && usesPath(definition, components, operation, problems)),
    ...(may('list') && (may('create') || may('edit')) && similarPath(definition, components, operation, problems)),
    ...(may('list') && treePath(definition, registry, actor, components, problems)),
    ...(may('list') && {
      ...aggregatePath(definition, components, searchParameters(definition, components), problems),
      ...exportPath(definition, components, queryParameters(definition, inLists, components, type), problems),
    }),
    ...(may('edit') && requestPaths(definition, registry, components, { type, response: one })),
  });
}

function treePath(
  definition: Definition,
  registry: Registry,
  actor: Actor,
  components: Components,
  problems: Record<string, Reference>,
): Record<string, Json> {
  const { name, labels, fields, list } = definition;
  const target = registry.get(fields[list.tree?.[0] ?? '']?.to ?? '');
  if (!target || !isGranted(actor, target.name, 'list')) return {};
  const { responses, ...tree } = treeOperation(components, searchParameters(definition, components));
  const summary = `Count ${labels.many} by the tree of ${target.labels.many}`;
  const answers = { ...(responses as Json), ...problems };
  return {
    [`/${name}/tree`]: {
      get: {
        operationId: `tree-${name}`,
        tags: [labels.many],
        summary,
        ...securityOf([`${name}.list`]),
        ...tree,
        responses: answers,
      },
    },
  };
}

function json(schema: object): Json {
  return { 'application/json': { schema } };
}

function inEnvelope({ envelope }: Definition, schema: object): object {
  return envelope ? { type: 'object', required: [envelope], properties: { [envelope]: schema } } : schema;
}

function choicesSummary({ labels }: Definition, lists: boolean, choosesFields: boolean): string {
  const parts = [
    ...(lists ? [`${labels.many} as filters offer them`] : []),
    ...(choosesFields ? [`the possible values of a field of a ${labels.one}`] : []),
  ];
  return `${parts.join(', or ')}: ids and titles`;
}

function fieldParameter(names: readonly string[], required: boolean): Json {
  return {
    name: 'field',
    in: 'query',
    description: 'The field whose possible values are listed. Other fields of the record may be sent beside it.',
    ...(required && { required }),
    schema: { type: 'string', enum: names },
  };
}

/** The search for records that are similar to what is typed, if a field has one. */
function similarPath(
  definition: Definition,
  components: Components,
  operation: (verb: Verb, summary: string, rest: Json) => Json,
  problems: Json,
): Record<string, Json> {
  const names = Object.values(definition.fields)
    .filter(isComparedText)
    .map((field) => field.name);
  if (names.length === 0) return {};
  const field = { name: 'field', in: 'path', required: true, schema: { type: 'string', enum: names } };
  const same = narrowingFields(definition).map(({ name }) => ({
    name,
    in: 'query',
    description: 'Only records with the same.',
    schema: { type: 'integer' },
  }));
  const summary = `${definition.labels.many} with a similar text, the most similar first`;
  return {
    [`/${definition.name}/similar/{field}`]: {
      get: operation('similar', summary, {
        parameters: [field, ...similarParameters(components), ...same],
        responses: { 200: similarResponse(components), ...problems },
      }),
    },
  };
}

/** In how many records a record is used, if a form asks that before it is saved. */
function usesPath(
  definition: Definition,
  components: Components,
  operation: (verb: Verb, summary: string, rest: Json) => Json,
  problems: Json,
): Record<string, Json> {
  const names = Object.values(definition.fields).flatMap(({ name, confirmChangesOf }) =>
    confirmChangesOf ? [name] : [],
  );
  if (names.length === 0) return {};
  const field = { name: 'field', in: 'path', required: true, schema: { type: 'string', enum: names } };
  return {
    [`/${definition.name}/{id}/uses/{field}`]: {
      get: operation('uses', `In how many records ${definition.labels.many.toLowerCase()} are used`, {
        parameters: [idParameter(components), field],
        responses: { 200: usesResponse(components), ...problems },
      }),
    },
  };
}

function withoutEmpty(paths: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => Object.keys(path).length > 0));
}
