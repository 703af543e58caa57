import { labelOf } from '../../../engine/definitions/labels';
import { responseNamesOf } from '../../../engine/definitions/response-names';
import type { Definition, Field, Parameter } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { Components, Reference } from './components';
import { valueSchema, type Json } from './record-schemas';

/**
 * The `fields` parameter, which reduces the response of a list or record to some of the names that the caller may read.
 */
export function fieldsParameter(
  definition: Definition,
  kind: 'list' | 'one',
  readable: ReadonlySet<string>,
  components: Components,
  type: string,
): Reference {
  const fields = Object.values(definition.fields).filter(({ name }) => readable.has(name));
  const names = [...new Set(fields.flatMap((field) => responseNamesOf(field, kind)))];
  return components.add('parameters', `${type}.fields`, {
    name: 'fields',
    in: 'query',
    description:
      'Returns only the id and these fields, embeds and counts of each record, separated by commas, as in id,name. Other fields are not read from the database either. An unknown name: 400.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: names } },
  });
}

/** The `envelope` parameter of resources whose responses have one. */
export function envelopeParameter(components: Components): Reference {
  return components.add('parameters', 'envelope', {
    name: 'envelope',
    in: 'query',
    description: 'none: records without the envelope that they have in responses otherwise.',
    schema: { type: 'string', enum: ['none'] },
  });
}

/** The `range` parameter of everything that has pages. */
export const rangeParameter: Json = {
  name: 'range',
  in: 'query',
  description: 'First and last position, as in [0,14].',
  schema: { type: 'string', pattern: '^\\[\\d+,\\d+\\]$', examples: ['[0,14]'] },
};

const condition = { $ref: '#/components/schemas/Condition' };
const operators = {
  type: 'object',
  description:
    'Comparisons of a value, all of which must hold. Variables such as $today-7d and $actor.id are values too.',
  properties: {
    ...Object.fromEntries(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((name) => [name, {}])),
    $in: { type: 'array', items: {} },
    $nin: { type: 'array', items: {} },
    $all: { type: 'array', items: {} },
    $exists: { type: 'boolean' },
    $contains: { type: 'string' },
    $below: { type: ['integer', 'string'], description: 'At or below this record of a tree.' },
    $some: condition,
  },
  additionalProperties: false,
};
const conditionSchema = {
  type: 'object',
  description: 'Fields, or paths such as owner_id.name, with values or Operators; all of it must hold.',
  properties: {
    $and: { type: 'array', items: condition },
    $or: { type: 'array', items: condition },
    $nor: { type: 'array', items: condition },
    $not: condition,
  },
  additionalProperties: true,
};
const filterSchema = {
  type: 'object',
  description: 'Fields with values, lists of values, or operators.',
  additionalProperties: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'array', items: {} },
      { $ref: '#/components/schemas/Operators' },
    ],
  },
};

/** Adds what the JSON texts of `filter` and `where` may say: scripts have types for them. */
function addConditions(components: Components): void {
  components.add('schemas', 'Operators', operators);
  components.add('schemas', 'Condition', conditionSchema);
  components.add('schemas', 'Filter', filterSchema);
}

/** A text that is JSON of a named schema. */
const jsonText = (type: string, examples: readonly string[]): Json => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: { $ref: `#/components/schemas/${type}` },
  examples,
});

const searchParameter = {
  name: 'q',
  in: 'query',
  description: 'Searches all text fields, case-insensitive.',
  schema: { type: 'string', maxLength: 500 },
};
const filterParameter = {
  name: 'filter',
  in: 'query',
  description:
    'An object of fields and values, or operators: $eq, $ne, $in, $nin, $exists, $contains for texts, and $gt, $gte, $lt, $lte for what has an order.',
  schema: jsonText('Filter', ['{"id":[1,2]}', '{"name":{"$contains":"a"}}']),
};
const whereParameter = {
  name: 'where',
  in: 'query',
  description:
    'A condition as in definitions, on fields of these records and, by paths, of related ones that you may list: $and, $or, $nor, $not, $some, $below for records at or below others of a tree, and the operators of filter. A wrong one: 422.',
  schema: jsonText('Condition', [
    '{"$or":[{"id":{"$gt":100}},{"created_at":{"$gte":"$today-7d"}}]}',
    '{"owner_id.name":"Ada"}',
  ]),
};
const sortParameter = {
  name: 'sort',
  in: 'query',
  description: 'Field and direction, as in ["id","ASC"].',
  schema: { type: 'string', examples: ['["id","ASC"]'] },
};
const archiveParameter = {
  name: 'archive',
  in: 'query',
  description: '1: archived records only.',
  schema: { type: 'integer', enum: [0, 1] },
};

const groupParameters = [
  {
    name: 'group_by',
    in: 'query',
    description:
      'Sorts the records by their groups first, as a list shows them: a relation to one record, a field with options, yes or no, or a date with its period (created_at:month); with a minus sign in front, descending. The number of records in each group: aggregate.',
    schema: { type: 'string', examples: ['created_at:month'] },
  },
  {
    name: 'closed_groups',
    in: 'query',
    description: 'With group_by: the values of groups whose records are left out, null for records without one.',
    schema: { type: 'string', contentMediaType: 'application/json', examples: ['[3,null]'] },
  },
];

/** The query parameters that search and filter any list. */
export function searchParameters(definition: Definition, components: Components): Reference[] {
  addConditions(components);
  const archive = definition.archive ? [archiveParameter] : [];
  const shared = [searchParameter, filterParameter, whereParameter, ...archive];
  return shared.map((parameter) => components.add('parameters', parameter.name, parameter));
}

/** The query parameters that search, sort and filter any list. */
export function queryParameters(
  definition: Definition,
  readable: ReadonlySet<string>,
  components: Components,
  type: string,
): Reference[] {
  return [
    ...searchParameters(definition, components),
    components.add('parameters', sortParameter.name, sortParameter),
    components.add('parameters', `${type}.sort_by`, sortByParameter(definition, readable)),
  ];
}

function parameterText(name: string, { kind, label }: Parameter): string {
  if (kind !== 'tree') return label ?? `Parameter ${name}.`;
  return 'The branches of the tree beside the list whose records are wanted: ids separated by commas, or `none` for records in no branch.';
}

/** The query parameters of a list: both formats, and every field and parameter that the caller can filter by. */
export function listParameters(
  definition: Definition,
  readable: ReadonlySet<string>,
  components: Components,
  type: string,
): Reference[] {
  const own = (parameter: { readonly name: string }) =>
    components.share('parameters', `by.${parameter.name}`, `${type}.${parameter.name}`, parameter);
  const filters = Object.values(definition.fields).filter((field) => field.filterable && readable.has(field.name));
  const named = new Set(Object.keys(definition.parameters));
  return [
    ...queryParameters(definition, readable, components, type),
    components.add('parameters', 'range', rangeParameter),
    ...groupParameters.map((parameter) => components.add('parameters', parameter.name, parameter)),
    fieldsParameter(definition, 'list', readable, components, type),
    ...filters.filter(({ name }) => !named.has(name)).map((field) => own(fieldFilter(field))),
    ...filters
      .filter((field) => fieldTypeOf(field).hasRangeFilter)
      .flatMap((field) => (['from', 'to'] as const).map((bound) => own(boundFilter(field, bound)))),
    ...Object.entries(definition.parameters).map(([name, parameter]) =>
      own({
        name,
        in: 'query',
        description: parameterText(name, parameter),
        schema: { type: 'string', ...(parameter.conditions && { enum: Object.keys(parameter.conditions) }) },
      } as { readonly name: string }),
    ),
  ].filter(({ $ref }, index, all) => all.findIndex((other) => other.$ref === $ref) === index);
}

function sortByParameter(definition: Definition, readable: ReadonlySet<string>) {
  const sortable = Object.values(definition.fields).filter((field) => field.sortable && readable.has(field.name));
  return {
    name: 'sort_by',
    in: 'query',
    description: 'A field; with a minus sign in front, descending.',
    schema: { type: 'string', enum: sortable.flatMap(({ name }) => [name, `-${name}`]) },
  };
}

/** A filter by one value of a field, or by several separated by commas unless it is a text, which may have them itself. */
function fieldFilter(field: Field) {
  const value = plainSchema(field);
  const { description } = valueSchema(field);
  const parameter = { name: field.name, in: 'query', ...(description !== undefined && { description }) };
  if (isSingle(field)) return { ...parameter, schema: value };
  return { ...parameter, style: 'form', explode: false, schema: { anyOf: [value, { type: 'array', items: value }] } };
}

function boundFilter(field: Field, bound: 'from' | 'to') {
  const description = field.label === labelOf(field.name) ? {} : { description: `${field.label}, ${bound}.` };
  return { name: `${field.name}_${bound}`, in: 'query', ...description, schema: plainSchema(field) };
}

function isSingle(field: Field): boolean {
  const { holds } = fieldTypeOf(field);
  return (holds === 'text' && field.options === undefined) || holds === 'object';
}

/** The type of a value to compare with. Limits apply to stored values only; days are accepted for instants too. */
function plainSchema(field: Field): Json {
  const { holds } = fieldTypeOf(field);
  if (holds === 'record' || holds === 'records' || holds === 'referrers') return { type: 'integer' };
  if (holds === 'number' || holds === 'boolean') return { type: holds };
  if (holds === 'day') return { type: 'string', format: 'date' };
  if (field.options) return { type: 'string', enum: field.options.map(({ value }) => value) };
  return { type: 'string' };
}
