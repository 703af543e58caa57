import type { Actor } from '../../../engine/access/actor';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { writableFields } from '../../../engine/validation/record-schema';
import { readableFields } from '../../access/access-filter';
import { maxBulkOperations } from '../../records/bulk';
import { responseSchema, inputSchema, type Json } from './record-schemas';
import { exportPath } from './export-path';
import { fieldsParameter, listParameters } from './list-parameters';
import { requestPaths } from './request-paths';
import { writeErrors, idempotencyParameters, idParameter, notFoundError, commonErrors } from './responses';

/** The paths of one resource, with the operations that the actor may use. */
export function resourcePaths(actor: Actor, definition: Definition, registry: Registry): Record<string, Json> {
  const { name, labels } = definition;
  // Fields that only the program writes cannot be set by a call.
  const isWritten = writableFields(definition).some(({ system }) => !system);
  const may = (action: Action) =>
    isGranted(actor, name, action) &&
    (isWritten || (action !== 'create' && action !== 'edit')) &&
    (actor.level === 1 || action === 'list' || action === 'view' || definition.scope !== 'installation');
  const readable = readableFields(actor, definition).sometimes;
  const record = envelopeSchema(definition, responseSchema(definition, registry, readable));
  const operation = (verb: string, summary: string, rest: Json): Json => ({
    operationId: `${verb}-${name}`,
    tags: [labels.many],
    summary,
    ...rest,
  });
  const body = (action: 'create' | 'edit') => ({
    required: true,
    content: {
      'application/json': {
        schema: inputSchema(
          definition,
          grantedFields(actor, definition, action),
          action === 'create' ? 'create' : 'change',
        ),
      },
    },
  });
  const answers = (status: string, description: string, schema: Json) => ({
    [status]: { description, content: { 'application/json': { schema } } },
  });

  const collection: Json = {
    ...(may('list') && {
      get: operation('list', `List ${labels.many}`, {
        parameters: listParameters(definition, readable),
        responses: {
          ...answers('200', 'A page; Content-Range contains the total.', listSchema(definition, record)),
          ...commonErrors,
        },
      }),
    }),
    ...(may('create') && {
      post: operation('create', `Create a ${labels.one}`, {
        parameters: idempotencyParameters,
        requestBody: body('create'),
        responses: { ...answers('201', 'As stored.', record), ...commonErrors, ...writeErrors },
      }),
    }),
  };
  const one: Json = {
    ...(may('view') && {
      get: operation('read', `Read a ${labels.one}`, {
        parameters: [fieldsParameter(definition, 'one', readable)],
        responses: { ...answers('200', 'The record.', record), ...commonErrors, ...notFoundError },
      }),
    }),
    ...(may('edit') && {
      put: operation('change', `Change a ${labels.one}`, {
        parameters: idempotencyParameters,
        requestBody: body('edit'),
        responses: { ...answers('200', 'As stored.', record), ...commonErrors, ...notFoundError, ...writeErrors },
      }),
    }),
    ...(may('delete') && {
      delete: operation('delete', `${definition.archive ? 'Archive' : 'Delete'} a ${labels.one}`, {
        parameters: idempotencyParameters,
        responses: { ...answers('200', 'As it was.', record), ...commonErrors, ...notFoundError, ...writeErrors },
      }),
    }),
  };
  const choices = Object.values(definition.fields).filter((field) => field.to && !field.system);
  return withoutEmpty({
    [`/${name}`]: collection,
    [`/${name}/bulk`]:
      may('create') || may('edit') || may('delete')
        ? {
            post: operation('bulk', `Create, change and delete ${labels.many}, all of them or none`, {
              parameters: [...idempotencyParameters, fieldsParameter(definition, 'one', readable)],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: bulkBody(definition, actor, may) } },
              },
              responses: {
                ...answers(
                  '200',
                  'As stored, each list in the order of the body.',
                  bulkAnswer(responseSchema(definition, registry, readable)),
                ),
                ...commonErrors,
                ...notFoundError,
                ...writeErrors,
              },
            }),
          }
        : {},
    [`/${name}/{id}`]: Object.keys(one).length > 0 ? { parameters: [idParameter], ...one } : {},
    [`/${name}/restore/{id}`]:
      definition.archive && may('delete')
        ? {
            parameters: [idParameter],
            patch: operation('restore', `Restore a ${labels.one}`, {
              parameters: idempotencyParameters,
              responses: { ...answers('200', 'As stored.', record), ...commonErrors, ...notFoundError, ...writeErrors },
            }),
          }
        : {},
    [`/${name}/{id}/history`]: may('view')
      ? {
          parameters: [idParameter],
          get: operation('history', `What changed in a ${labels.one}`, {
            responses: {
              ...answers('200', 'Changes.', { $ref: '#/components/schemas/History' }),
              ...commonErrors,
              ...notFoundError,
            },
          }),
        }
      : {},
    [`/${name}/choices/{field}`]:
      choices.length > 0 && (may('create') || may('edit'))
        ? {
            get: operation('choices', `Possible values of a field of a ${labels.one}`, {
              parameters: [
                {
                  name: 'field',
                  in: 'path',
                  required: true,
                  schema: { type: 'string', enum: choices.map((field) => field.name) },
                },
                ...choiceParameters,
              ],
              responses: {
                ...answers('200', 'Ids and titles.', { $ref: '#/components/schemas/Choices' }),
                ...commonErrors,
                ...notFoundError,
              },
            }),
          }
        : {},
    [`/${name}/choices`]: may('list')
      ? {
          get: operation('offered', `${labels.many} as filters offer them: ids and titles`, {
            parameters: choiceParameters,
            responses: {
              ...answers('200', 'Ids and titles.', { $ref: '#/components/schemas/Choices' }),
              ...commonErrors,
            },
          }),
        }
      : {},
    ...(may('list') && exportPath(definition, listParameters(definition, readable))),
    ...(may('edit') && requestPaths(definition, registry, record)),
  });
}

/** What the actor may send to `POST r/bulk`. */
function bulkBody(definition: Definition, actor: Actor, may: (action: Action) => boolean): Json {
  const list = (items: Json, description: string) => ({
    type: 'array',
    maxItems: maxBulkOperations,
    items,
    description,
  });
  const id = { type: 'integer', minimum: 1 };
  const changes = inputSchema(definition, grantedFields(actor, definition, 'edit'), 'change');
  return {
    type: 'object',
    description:
      `At most ${maxBulkOperations} records together, in one transaction: changes first, then deletions, then new ` +
      'records. If one is refused, nothing is stored, and `errors` has all faults by their place, such as `update[3].name`.',
    properties: {
      ...(may('create') && {
        create: list(inputSchema(definition, grantedFields(actor, definition, 'create'), 'create'), 'New records.'),
      }),
      ...(may('edit') && {
        update: list(
          { ...changes, properties: { id, ...(changes.properties as Json) }, required: ['id'] },
          'Changes: fields left out keep their values.',
        ),
      }),
      ...(may('delete') && { delete: list(id, 'Ids of records to delete.') }),
    },
    additionalProperties: false,
  };
}

function bulkAnswer(record: Json): Json {
  const list = (items: Json) => ({ type: 'array', items });
  const lists = { created: list(record), updated: list(record), deleted: list({ type: 'integer', minimum: 1 }) };
  const data = { type: 'object', properties: lists, required: Object.keys(lists) };
  return { type: 'object', properties: { data }, required: ['data'] };
}

const choiceParameters: Json[] = [
  {
    name: 'q',
    in: 'query',
    description: 'Titles that begin with it come first, then those with a word that does; a number also finds the id.',
    schema: { type: 'string', maxLength: 500 },
  },
  { name: 'range', in: 'query', schema: { type: 'string', examples: ['[0,14]'] } },
  {
    name: 'near',
    in: 'query',
    description: 'Recently chosen ids, newest first, which are listed first; 0 for the order of the resource alone.',
    schema: { type: 'string', examples: ['7,3', '0'] },
  },
];

function envelopeSchema(definition: Definition, schema: Json): Json {
  return definition.envelope ? { type: 'object', properties: { [definition.envelope]: schema } } : schema;
}

function listSchema(definition: Definition, record: Json): Json {
  if (!definition.envelope) return { type: 'array', items: record };
  const items = (record.properties as Json)[definition.envelope];
  return { type: 'object', properties: { [definition.envelope]: { type: 'array', items } } };
}

function withoutEmpty(paths: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => Object.keys(path).length > 0));
}
