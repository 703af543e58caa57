import type { Definition } from '../../../engine/definitions/definition';
import { groupUnits } from '../../../engine/lists/grouping';
import { totalFunctions } from '../../../engine/lists/totals';
import { maxGroupFields, maxTakes } from '../../aggregates/aggregate-records';
import { maxTreeNodes } from '../../aggregates/count-tree';
import type { Components, Reference } from './components';
import { rangeParameter } from './list-parameters';
import type { Json } from './record-schemas';
import { securityOf } from './responses';

const taken = {
  type: 'object',
  additionalProperties: { type: ['number', 'string', 'object', 'null'] },
  description:
    'By field. Null where no record of the group has a value; of amounts in the currency of each record, an object with the amount in each currency.',
};
const takenFigures = {
  count: { type: 'integer', description: 'How many records there are, if `take` has count.' },
  ...Object.fromEntries(totalFunctions.map((name) => [name === 'count' ? 'counts' : name, taken])),
};

const groupsSchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['group', 'titles'],
        properties: {
          group: {
            type: 'object',
            additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
            description:
              'The value of each name of `group`; null for records without one, or with one you may not see.',
          },
          titles: {
            type: 'object',
            additionalProperties: { type: ['string', 'null'] },
            description: 'The titles of those values that are records.',
          },
          ...takenFigures,
        },
      },
    },
    totals: { type: 'object', properties: takenFigures, description: 'The same of all records, if it was asked for.' },
  },
};

/** The query parameters that group a list, and the range of its groups. */
export function aggregateParameters(components: Components): Reference[] {
  const parameters = [
    {
      name: 'group',
      in: 'query',
      description: `What the records are grouped by: at most ${maxGroupFields} fields, also of related records that you may list (owner_id.role_id), separated by commas. Dates need a period, as in created_at:month: ${groupUnits.join(', ')}; a group is then named by its first day in your time zone. Weeks begin on Monday, or on the day that follows: created_at:week:0 from Sunday, to 6 from Saturday. Without it, all records are one group.`,
      schema: { type: 'string', examples: ['owner_id', 'created_at:month'] },
    },
    {
      name: 'take',
      in: 'query',
      description: `At most ${maxTakes} of count and ${totalFunctions.map((one) => `${one}:field`).join(', ')}, separated by commas; count:field counts values.`,
      schema: { type: 'string', default: 'count', examples: ['count,sum:amount'] },
    },
    {
      name: 'sort_by',
      in: 'query',
      description:
        'One of the names of group or take, or group for the order in which lists show the groups: choices in their own; with a minus sign in front, descending. Default: by the groups, records by their titles.',
      schema: { type: 'string', examples: ['-count', 'group'] },
    },
    {
      name: 'totals',
      in: 'query',
      description: '1: the response also has `totals`, what is taken of all records together.',
      schema: { type: 'integer', enum: [0, 1] },
    },
  ].map((parameter) => components.add('parameters', `aggregate.${parameter.name}`, parameter));
  return [...parameters, components.add('parameters', 'range', rangeParameter)];
}

/** The response with groups. */
export function groupsResponse(components: Components): Reference {
  const schema = components.add('schemas', 'Groups', groupsSchema);
  return components.add('responses', 'Groups', {
    description: 'The groups.',
    content: { 'application/json': { schema } },
  });
}

/** The path that counts and adds up the records of a list by groups; `parameters` are those of lists in general. */
export function aggregatePath(
  { name, labels }: Definition,
  components: Components,
  parameters: readonly Reference[],
  problems: Record<string, Reference>,
): Record<string, Json> {
  return {
    [`/${name}/aggregate`]: {
      get: {
        operationId: `aggregate-${name}`,
        tags: [labels.many],
        summary: `Count ${labels.many} and add up their fields, by groups`,
        ...securityOf([`${name}.list`]),
        description:
          'Of the records that the list has for you. Every filter of the list can be used here too, by its name.',
        parameters: [...aggregateParameters(components), ...parameters],
        responses: { 200: groupsResponse(components), ...problems },
      },
    },
  };
}

const count = (description: string) => ({ type: 'integer', description });
const nothing = (type: string, description: string) => ({ type: [type, 'null'], description });
const object = (properties: Json, description?: string) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...(description !== undefined && { description }),
});

const treeSchema = object({
  data: object({
    nodes: {
      type: 'array',
      description: `In the order of choices. More than ${maxTreeNodes}: 400 (TREE_TOO_LARGE).`,
      items: object({
        id: { type: 'integer' },
        title: { type: 'string' },
        parent: nothing('integer', 'The record above; null at the top, and where you may not list it.'),
        count: count('How many records of the list are in its branch.'),
        own: count('How many of those are in it itself.'),
        of: nothing('string', 'What it is part of, such as its project.'),
        values: {
          type: 'object',
          additionalProperties: { type: ['integer', 'null'] },
          description: 'Its required relations, by name.',
        },
      }),
    },
    none: count('How many records of the list are in no branch.'),
    total: count('All records of the list.'),
  }),
});

/** The call of the tree beside a list; `parameters` are those of lists in general. */
export function treeOperation(components: Components, parameters: readonly Reference[]): Json {
  const schema = components.add('schemas', 'Tree', treeSchema);
  return {
    description:
      'Counted within the records that the list with the same filters has for you; a filter by a branch (`tree`) is left out.',
    parameters: [...parameters],
    responses: {
      200: components.add('responses', 'Tree', {
        description: 'The records of the tree.',
        content: { 'application/json': { schema } },
      }),
    },
  };
}
