import { groupUnits } from '../../../engine/lists/grouping';
import { totalFunctions } from '../../../engine/lists/totals';
import { maxGroupFields, maxTakes } from '../../aggregates/aggregate-records';
import { maxTreeNodes } from '../../aggregates/count-tree';
import { idempotencyHeader } from '../../idempotency/header';
import type { DocumentBuilder, Reference } from './builder';
import { inPath, inQuery, instant, integer, json, listOf, objectOf, partialOf, recordId, text } from './schema-parts';

// Parts that are the same for every resource, each with its name in the document.

const nullableObject = { type: ['object', 'null'] };
const scalar = { type: ['string', 'number', 'boolean', 'null'] };
const withDescription = (schema: object, description: string) => ({ ...schema, description });
const count = (description: string) => withDescription(integer, description);
const othersSchema = { type: 'boolean', description: 'There are records that you do not have in lists.' };

const figuresOfField = {
  type: 'object',
  additionalProperties: { type: ['number', 'string', 'object', 'null'] },
  description:
    'By field. Null where no record of the group has a value; of amounts in the currency of each record, an object with the amount in each currency.',
};
const figures = {
  count: count('How many records there are, if `take` has count.'),
  ...Object.fromEntries(totalFunctions.map((name) => [name === 'count' ? 'counts' : name, figuresOfField])),
};

const group = {
  type: 'object',
  required: ['group', 'titles'],
  properties: {
    group: {
      type: 'object',
      additionalProperties: scalar,
      description: 'The value of each name of `group`; null for records without one, or with one you may not see.',
    },
    titles: {
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
      description: 'The titles of those values that are records.',
    },
    ...figures,
  },
};

const treeNode = objectOf({
  id: integer,
  title: text,
  parent: withDescription(
    { type: ['integer', 'null'] },
    'The record above; null at the top, and where you may not list it.',
  ),
  count: count('How many records of the list are in its branch.'),
  own: count('How many of those are in it itself.'),
  of: withDescription({ type: ['string', 'null'] }, 'What it is part of, such as its project.'),
  values: {
    type: 'object',
    additionalProperties: { type: ['integer', 'null'] },
    description: 'Its required relations, by name.',
  },
});

/** The responses that are the same for all resources: a description and a schema. */
const responses = {
  History: [
    'The changes.',
    objectOf({
      data: listOf(
        partialOf({
          id: count('Of the version that the record had afterwards.'),
          old_values: nullableObject,
          new_values: nullableObject,
          event: text,
          user: { ...nullableObject, properties: { id: integer, name: text } },
          created_at: instant,
          restored_version: count('The version that it brought back; the first change is version 1.'),
        }),
      ),
    }),
  ],
  Choices: [
    'Ids and titles.',
    objectOf({
      data: listOf({
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: integer,
          title: text,
          detail: withDescription(text, 'Distinguishes it from others with the same title.'),
          state: withDescription(text, 'What transitions call it, for a field that has transitions.'),
          deleted: { type: 'boolean' },
          near: {
            type: 'string',
            enum: ['shared', 'yours', 'recent'],
            description:
              'Why it comes first: it shares a relation with the current record, it is yours, or it was chosen recently.',
          },
        },
      }),
    }),
  ],
  Similar: [
    'At most five records, the most similar first.',
    objectOf({
      data: listOf(
        objectOf({
          id: integer,
          title: text,
          key: { type: ['string', 'null'] },
          similarity: { type: 'integer', minimum: 0, maximum: 100, description: 'In per cent.' },
        }),
      ),
    }),
  ],
  Uses: [
    'In how many records it is used.',
    objectOf({
      data: objectOf({
        count: { type: 'integer', minimum: 0, description: 'The records that you may list.' },
        others: othersSchema,
      }),
    }),
  ],
  Assignments: [
    'How many records are assigned to them.',
    objectOf({
      data: objectOf({
        resources: listOf(
          objectOf({
            resource: withDescription(text, 'Of the records that are assigned.'),
            count: { type: 'integer', minimum: 1, description: 'The records that you have in lists.' },
          }),
        ),
        others: othersSchema,
      }),
    }),
  ],
  Groups: [
    'The groups.',
    {
      type: 'object',
      required: ['data'],
      properties: {
        data: listOf(group),
        totals: withDescription(partialOf(figures), 'The same of all records, if it was asked for.'),
      },
    },
  ],
  Tree: [
    'The records of the tree.',
    objectOf({
      data: objectOf({
        nodes: listOf(treeNode, {
          description: `In the order of choices. More than ${maxTreeNodes}: 400 (TREE_TOO_LARGE).`,
        }),
        none: count('How many records of the list are in no branch.'),
        total: count('All records of the list.'),
      }),
    }),
  ],
} as const;

/** Adds the schema of a response that all resources have alike. */
export function addSharedSchema(builder: DocumentBuilder, name: keyof typeof responses): Reference {
  return builder.add('schemas', name, responses[name][1]);
}

/** Adds a response that all resources have alike. */
export function sharedResponse(builder: DocumentBuilder, name: keyof typeof responses): Reference {
  const schema = addSharedSchema(builder, name);
  return builder.add('responses', name, { description: responses[name][0], content: json(schema) });
}

/** The parameters that are the same for all resources. */
export const parameters = {
  id: inPath('id', recordId),
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: idempotencyHeader['Idempotency-Key'],
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  envelope: inQuery('envelope', 'none: records without the envelope that they have in responses otherwise.', {
    type: 'string',
    enum: ['none'],
  }),
  'envelope.none': inQuery(
    'envelope',
    'Records as they are, without the envelope that those of some resources have otherwise.',
    { type: 'string', enum: ['none'] },
    { required: true },
  ),
  query: inQuery(
    'query',
    'What Resources has as the query of the resource, each as a parameter of its own.',
    { type: 'object' },
    { style: 'form', explode: true },
  ),
  range: inQuery('range', 'First and last position, as in [0,14].', {
    type: 'string',
    pattern: '^\\[\\d+,\\d+\\]$',
    examples: ['[0,14]'],
  }),
  after: inQuery(
    'after',
    'The records after the last one of a page, by its X-After; empty: from the first one. With it responses have the keys of their pages. Takes the same time however far in. range says how many, and where the caller counts them to be. Cannot be combined with group_by.',
    { type: 'string', maxLength: 3000 },
  ),
  before: inQuery(
    'before',
    'As after, the records before the first one of a page, by its X-Before; empty: the last ones of the list.',
    { type: 'string', maxLength: 3000 },
  ),
  total: inQuery(
    'total',
    'estimate: a total of more than 100,000 in Content-Range may be an estimate of two digits, which X-Total-Estimated then says. Otherwise it is exact.',
    { type: 'string', enum: ['estimate'] },
  ),
  q: inQuery('q', 'Searches all text fields, case-insensitive.', { type: 'string', maxLength: 500 }),
  filter: inQuery(
    'filter',
    'An object of fields and values, or operators: $eq, $ne, $in, $nin, $exists, $contains for texts, and $gt, $gte, $lt, $lte for what has an order.',
    jsonText('Filter', ['{"id":[1,2]}', '{"name":{"$contains":"a"}}']),
  ),
  where: inQuery(
    'where',
    'A condition as in definitions, on fields of these records and, by paths, of related ones that you may list: $and, $or, $nor, $not, $some, $below for records at or below others of a tree, and the operators of filter. A wrong one: 422.',
    jsonText('Condition', [
      '{"$or":[{"id":{"$gt":100}},{"created_at":{"$gte":"$today-7d"}}]}',
      '{"owner_id.name":"Ada"}',
    ]),
  ),
  archive: inQuery('archive', '1: archived records only.', { type: 'integer', enum: [0, 1] }),
  sort: inQuery('sort', 'Field and direction, as in ["id","ASC"].', { type: 'string', examples: ['["id","ASC"]'] }),
  group_by: inQuery(
    'group_by',
    'Sorts the records by their groups first, as a list shows them: a relation to one record, a field with options, yes or no, or a date with its period (created_at:month); with a minus sign in front, descending. The number of records in each group: aggregate.',
    { type: 'string', examples: ['created_at:month'] },
  ),
  closed_groups: inQuery(
    'closed_groups',
    'With group_by: the values of groups whose records are left out, null for records without one.',
    { type: 'string', contentMediaType: 'application/json', examples: ['[3,null]'] },
  ),
  'placement.after': inQuery(
    'after',
    'Where the board is put in order by hand: the record is put after this one in its column, 0: first.',
    { type: 'integer', minimum: 0 },
  ),
  'placement.sort_by': inQuery(
    'sort_by',
    'With after: the order of the records that have no place on the board yet; with a minus sign in front, descending.',
    { type: 'string', examples: ['-id'] },
  ),
  'choices.q': inQuery(
    'q',
    'Titles that begin with it come first, then those with a word that does; a number also finds the id.',
    { type: 'string', maxLength: 500 },
  ),
  'choices.near': inQuery(
    'near',
    'Recently chosen ids, newest first, which are listed first; 0 for the order of the resource alone.',
    { type: 'string', examples: ['7,3', '0'] },
  ),
  'choices.default': inQuery(
    'default',
    'Only the record that a new record gets by default, where the default of the field is looked up ($lookup); none if several match.',
    { type: 'string', enum: ['1'] },
  ),
  'choices.referred_by': inQuery(
    'referred_by',
    'For filters: a relation, as in deals.owner_id. Deleted records that are kept for their names are listed too, where records that you have in lists refer to them by it.',
    text,
  ),
  'similar.text': inQuery(
    'text',
    'The text so far. Nothing is similar to less than four characters.',
    { type: 'string', maxLength: 500 },
    { required: true },
  ),
  'similar.record': inQuery('record', 'The record that is edited, which is left out.', integer),
  'aggregate.group': inQuery(
    'group',
    `What the records are grouped by: at most ${maxGroupFields} fields, also of related records that you may list (owner_id.role_id), separated by commas. Dates need a period, as in created_at:month: ${groupUnits.join(', ')}; a group is then named by its first day in your time zone. Weeks begin on Monday, or on the day that follows: created_at:week:0 from Sunday, to 6 from Saturday. Without it, all records are one group.`,
    { type: 'string', examples: ['owner_id', 'created_at:month'] },
  ),
  'aggregate.take': inQuery(
    'take',
    `At most ${maxTakes} of count and ${totalFunctions.map((name) => `${name}:field`).join(', ')}, separated by commas; count:field counts values.`,
    { type: 'string', default: 'count', examples: ['count,sum:amount'] },
  ),
  'aggregate.sort_by': inQuery(
    'sort_by',
    'One of the names of group or take, or group for the order in which lists show the groups: choices in their own; with a minus sign in front, descending. Default: by the groups, records by their titles.',
    { type: 'string', examples: ['-count', 'group'] },
  ),
  'aggregate.totals': inQuery('totals', '1: the response also has `totals`, what is taken of all records together.', {
    type: 'integer',
    enum: [0, 1],
  }),
  successor: inQuery(
    'successor',
    'The id of another record, which takes over what is assigned to the deleted ones. The response has data and handover then: how many records were changed, and which were not, with the reason.',
    integer,
  ),
  'export.columns': inQuery(
    'columns',
    'Fields separated by commas, or * for all that you may see; by default those that the list shows.',
    text,
  ),
  'export.ids': inQuery('ids', 'With 1, the first column is the Record ID, by which an import changes these records.', {
    type: 'string',
    enum: ['0', '1'],
    default: '0',
  }),
} as const;

/** A parameter that all resources have alike. */
export type SharedParameter = keyof typeof parameters;

/** Adds parameters that all resources have alike, by the names that they have in the document. */
export function sharedParameters(builder: DocumentBuilder, ...names: readonly SharedParameter[]): Reference[] {
  if (names.includes('where')) addConditionSchemas(builder);
  return names.map((name) => builder.add('parameters', name, parameters[name]));
}

/** A text that is JSON of a named schema. */
function jsonText(schema: string, examples: readonly string[]) {
  return {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { $ref: `#/components/schemas/${schema}` },
    examples,
  };
}

const condition = { $ref: '#/components/schemas/Condition' };
const conditionSchemas = {
  Operators: {
    type: 'object',
    description:
      'Comparisons of a value, all of which must hold. Variables such as $today-7d and $actor.id are values too.',
    properties: {
      ...Object.fromEntries(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((name) => [name, {}])),
      $in: listOf({}),
      $nin: listOf({}),
      $all: listOf({}),
      $exists: { type: 'boolean' },
      $contains: text,
      $below: { type: ['integer', 'string'], description: 'At or below this record of a tree.' },
      $some: condition,
    },
    additionalProperties: false,
  },
  Condition: {
    type: 'object',
    description: 'Fields, or paths such as owner_id.name, with values or Operators; all of it must hold.',
    properties: { $and: listOf(condition), $or: listOf(condition), $nor: listOf(condition), $not: condition },
    additionalProperties: true,
  },
  Filter: {
    type: 'object',
    description: 'Fields with values, lists of values, or operators.',
    additionalProperties: { anyOf: [scalar, listOf({}), { $ref: '#/components/schemas/Operators' }] },
  },
};

/** Adds the schemas of the JSON texts of `filter` and `where`: scripts have types for them. */
export function addConditionSchemas(builder: DocumentBuilder): void {
  for (const [name, schema] of Object.entries(conditionSchemas)) builder.add('schemas', name, schema);
}
