import type { Definition } from '../../../engine/definitions/definition';
import { maxBulkOperations } from '../../records/write/bulk';
import type { Components, Reference } from './components';
import { successorParameter } from './history-and-choices';
import type { Json } from './record-schemas';
import { idempotencyParameters, problemResponses, securityOf } from './responses';

/** The named schemas of a resource: one record in responses, and in requests as far as the caller may send it. */
export interface BulkSchemas {
  readonly type: string;
  readonly record: Reference;
  readonly input?: Reference;
  readonly change?: Reference;
  readonly deletes: boolean;
  readonly fields: Reference;
}

/** The path that creates, changes and deletes many records together; empty for callers who may do none of it. */
export function bulkPath(definition: Definition, components: Components, schemas: BulkSchemas): Record<string, Json> {
  const { name, labels } = definition;
  const { type, record, input, change, deletes, fields } = schemas;
  if (!input && !change && !deletes) return {};
  const list = (items: object, description: string) => ({
    type: 'array',
    maxItems: maxBulkOperations,
    items,
    description,
  });
  const id = { type: 'integer', minimum: 1 };
  const body = components.add('schemas', `${type}Bulk`, {
    type: 'object',
    description:
      `At most ${maxBulkOperations} records together, in one transaction: changes first, then deletions, then new ` +
      'records. If one is refused, nothing is stored, and `errors` has all faults by their place, such as `update[3].name`.',
    properties: {
      ...(input && { create: list(input, 'New records.') }),
      ...(change && {
        update: list({ allOf: [change], required: ['id'] }, 'Changes: fields left out keep their values.'),
      }),
      ...(deletes && { delete: list(id, 'Ids of records to delete.') }),
    },
    additionalProperties: false,
  });
  const sent = components.add('requestBodies', `${type}Bulk`, {
    required: true,
    content: { 'application/json': { schema: body } },
  });
  const lists = {
    created: { type: 'array', items: record },
    updated: { type: 'array', items: record },
    deleted: { type: 'array', items: id },
  };
  const data = { type: 'object', required: Object.keys(lists), properties: lists };
  const schema = { type: 'object', required: ['data'], properties: { data } };
  const stored = components.add('responses', `${type}Bulk`, {
    description: 'As stored, each list in the order of the body.',
    content: { 'application/json': { schema } },
  });
  return {
    [`/${name}/bulk`]: {
      post: {
        operationId: `bulk-${name}`,
        tags: [labels.many],
        summary: `Create, change and delete ${labels.many}, all of them or none`,
        ...securityOf([
          ...(input ? [`${name}.create`] : []),
          ...(change ? [`${name}.edit`] : []),
          ...(deletes ? [`${name}.delete`] : []),
        ]),
        parameters: [
          ...idempotencyParameters(components),
          fields,
          ...(deletes && definition.delete.keep ? [successorParameter(components)] : []),
        ],
        requestBody: sent,
        responses: { 200: stored, ...problemResponses(components) },
      },
    },
    ...(deletes && !definition.delete.final && !definition.archive && restorePath(definition, components, record)),
  };
}

/** The path that brings deleted records back. */
function restorePath({ name, labels }: Definition, components: Components, record: Reference): Record<string, Json> {
  const schema = { type: 'object', required: ['data'], properties: { data: { type: 'array', items: record } } };
  return {
    [`/${name}/restore`]: {
      post: {
        operationId: `undelete-${name}`,
        tags: [labels.many],
        summary: `Bring back ${labels.many} that you deleted within the last hour, all of them or none`,
        ...securityOf([`${name}.delete`]),
        parameters: idempotencyParameters(components),
        requestBody: { required: true, content: { 'application/json': { schema: deletedIds(components) } } },
        responses: {
          200: { description: 'As they are now.', content: { 'application/json': { schema } } },
          ...problemResponses(components),
        },
      },
    },
  };
}

/** The ids of deleted records, as a body. */
export function deletedIds(components: Components): Reference {
  const ids = { type: 'array', minItems: 1, maxItems: maxBulkOperations, items: { type: 'integer', minimum: 1 } };
  return components.add('schemas', 'DeletedIds', {
    type: 'object',
    required: ['ids'],
    properties: { ids },
    additionalProperties: false,
  });
}
