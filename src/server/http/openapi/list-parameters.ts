import { labelOf } from '../../../engine/definitions/labels';
import { responseNamesOf } from '../../../engine/registry/response-names';
import type { Definition, Field, Parameter } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { Components, type Reference } from './components';
import { valueSchema } from './record-schemas';
import type { ResourceTypes } from './resource-types';
import { inQuery, listOf, partialOf, type Json, type NamedPart } from './schema-parts';
import { addConditionSchemas, sharedParameters } from './shared-parts';

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
  const description =
    'Returns only the id and these fields, embeds and counts of each record, separated by commas, as in id,name. Other fields are not read from the database either. An unknown name: 400.';
  const schema = listOf({ type: 'string', enum: names });
  return components.add('parameters', `${type}.fields`, inQuery('fields', description, schema, inOneText));
}

/** A list in the query is one text, separated by commas. */
const inOneText = { style: 'form', explode: false };

/** The query parameters that search and filter any list. */
export function searchParameters(definition: Definition, components: Components): Reference[] {
  addConditionSchemas(components);
  const archive = definition.archive ? (['archive'] as const) : [];
  return sharedParameters(components, 'q', 'filter', 'where', ...archive);
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
    ...sharedParameters(components, 'sort'),
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
  const addNamed = (parameter: NamedPart) =>
    components.share('parameters', `by.${parameter.name}`, `${type}.${parameter.name}`, parameter);
  const filters = Object.values(definition.fields).filter((field) => field.filterable && readable.has(field.name));
  return [
    ...queryParameters(definition, readable, components, type),
    ...sharedParameters(components, 'range', 'group_by', 'closed_groups'),
    fieldsParameter(definition, 'list', readable, components, type),
    ...filters.filter(({ name }) => !(name in definition.parameters)).map((field) => addNamed(fieldFilter(field))),
    ...filters
      .filter((field) => fieldTypeOf(field).hasRangeFilter)
      .flatMap((field) => (['from', 'to'] as const).map((bound) => addNamed(boundFilter(field, bound)))),
    ...Object.entries(definition.parameters).map(([name, parameter]) =>
      addNamed(
        inQuery(name, parameterText(name, parameter), {
          type: 'string',
          ...(parameter.conditions && { enum: Object.keys(parameter.conditions) }),
        }),
      ),
    ),
  ].filter(({ $ref }, index, references) => references.findIndex((reference) => reference.$ref === $ref) === index);
}

function sortByParameter(definition: Definition, readable: ReadonlySet<string>): NamedPart {
  const sortable = Object.values(definition.fields).filter((field) => field.sortable && readable.has(field.name));
  const schema = { type: 'string', enum: sortable.flatMap(({ name }) => [name, `-${name}`]) };
  return inQuery('sort_by', 'A field; with a minus sign in front, descending.', schema);
}

/** A filter by one value of a field, or by several separated by commas unless it is a text, which may have them itself. */
function fieldFilter(field: Field): NamedPart {
  const value = plainSchema(field);
  const description = valueSchema(field).description as string | undefined;
  return isSingle(field)
    ? inQuery(field.name, description, value)
    : inQuery(field.name, description, { anyOf: [value, listOf(value)] }, inOneText);
}

function boundFilter(field: Field, bound: 'from' | 'to'): NamedPart {
  const description = field.label === labelOf(field.name) ? undefined : `${field.label}, ${bound}.`;
  return inQuery(`${field.name}_${bound}`, description, plainSchema(field));
}

function isSingle(field: Field): boolean {
  const { holds: valueKind } = fieldTypeOf(field);
  return (valueKind === 'text' && field.options === undefined) || valueKind === 'object';
}

/** The type of a value to compare with. Limits apply to stored values only; days are accepted for instants too. */
function plainSchema(field: Field): Json {
  const { holds: valueKind } = fieldTypeOf(field);
  if (valueKind === 'record' || valueKind === 'records' || valueKind === 'referrers') return { type: 'integer' };
  if (valueKind === 'number' || valueKind === 'boolean') return { type: valueKind };
  if (valueKind === 'day') return { type: 'string', format: 'date' };
  if (field.options) return { type: 'string', enum: field.options.map(({ value }) => value) };
  return { type: 'string' };
}

/** Adds the schema of the query of a resource's list: the parameters of every list, its fields, and its own parameters. */
export function addQuerySchema(
  definition: Definition,
  { type, inLists }: ResourceTypes,
  components: Components,
): Reference {
  const separate = new Components();
  const specific: Json = {};
  const system: Json = {};
  const sharedSchemas: Json = {};
  for (const reference of listParameters(definition, inLists, separate, type)) {
    const { name, schema } = separate.get(reference) as { name: string; schema: Json };
    const isShared = reference.$ref === `#/components/parameters/${name}`;
    const isSystem = definition.fields[name.replace(/_(from|to)$/, '')]?.system === true;
    (isShared ? sharedSchemas : isSystem ? system : specific)[name] = schema;
  }
  // A condition is written as text: the types of what it says are beside it.
  for (const name of ['Filter', 'Condition', 'Operators'])
    components.add('schemas', name, separate.get({ $ref: `#/components/schemas/${name}` }));
  const listQuery = components.add('schemas', 'ListQuery', partialOf(sharedSchemas));
  const recordQuery = partialOf(system);
  const ofRecords = components.share('schemas', 'RecordQuery', `${type}RecordQuery`, recordQuery);
  return components.add('schemas', `${type}Query`, { allOf: [listQuery, ofRecords, partialOf(specific)] });
}
