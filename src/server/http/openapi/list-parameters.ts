import { labelOf } from '../../../engine/definitions/labels';
import { responseNamesOf } from '../../../engine/registry/response-names';
import type { Field, Parameter } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { placeField } from '../../records/read/query/order';
import type { DocumentBuilder, Reference } from './builder';
import { valueSchema } from './record-schemas';
import type { Resource } from './resources';
import { inQuery, listOf, partialOf, type Json, type NamedPart } from './schema-parts';
import { addConditionSchemas, parameters, sharedParameters, type SharedParameter } from './shared-parts';

/** A query parameter of a list: one that all lists have, one that several may have, or one of this list alone. */
type ListParameter = SharedParameter | { readonly part: NamedPart; readonly isOwn?: boolean };

/** The query parameters that search and filter any list. */
export function searchParameters({ definition }: Resource): ListParameter[] {
  return ['q', 'filter', 'where', ...(definition.archive ? (['archive'] as const) : [])];
}

/** The query parameters that search, sort and filter any list. */
export function queryParameters(resource: Resource): ListParameter[] {
  const { definition, inLists } = resource;
  const sortable = Object.values(definition.fields).filter((field) => field.sortable && inLists.has(field.name));
  const schema = { type: 'string', enum: sortable.flatMap(({ name }) => [name, `-${name}`]) };
  const boardPlace = placeField(definition);
  const placeText = boardPlace
    ? ` With sort=["${boardPlace.name}","ASC"], the order of the board: of its records without a place.`
    : '';
  const part = inQuery('sort_by', `A field; with a minus sign in front, descending.${placeText}`, schema);
  return [...searchParameters(resource), 'sort', { part, isOwn: true }];
}

/** The query parameters of a list: both formats, and every field and parameter that the caller can filter by. */
export function listParameters(resource: Resource): ListParameter[] {
  const { definition, inLists } = resource;
  const filters = Object.values(definition.fields).filter((field) => field.filterable && inLists.has(field.name));
  const rangeFilters = filters.filter((field) => fieldTypeOf(field).hasRangeFilter);
  const parts = [
    ...filters.filter(({ name }) => !(name in definition.parameters)).map(fieldFilter),
    ...rangeFilters.flatMap((field) => [boundFilter(field, 'from'), boundFilter(field, 'to')]),
    ...Object.entries(definition.parameters).map(([name, parameter]) => parameterFilter(name, parameter)),
  ];
  return [
    ...queryParameters(resource),
    ...(['range', 'after', 'before', 'total', 'group_by', 'closed_groups'] as const),
    fieldsParameter(resource, 'list'),
    ...parts.map((part) => ({ part })),
  ];
}

/**
 * The `fields` parameter, which reduces the response of a list or record to some of the names that the caller may read.
 */
export function fieldsParameter({ definition, inLists, inOne }: Resource, kind: 'list' | 'one'): ListParameter {
  const readable = kind === 'list' ? inLists : inOne;
  const fields = Object.values(definition.fields).filter(({ name }) => readable.has(name));
  const names = [...new Set(fields.flatMap((field) => responseNamesOf(field, kind)))];
  const description =
    'Returns only the id and these fields, embeds and counts of each record, separated by commas, as in id,name. Other fields are not read from the database either. An unknown name: 400.';
  return { part: inQuery('fields', description, listOf({ type: 'string', enum: names }), inOneText), isOwn: true };
}

/** A list in the query is one text, separated by commas. */
const inOneText = { style: 'form', explode: false };

/** Adds query parameters to a document. */
export function addParameters(
  builder: DocumentBuilder,
  { type }: Resource,
  listParameters: readonly ListParameter[],
): Reference[] {
  const references = listParameters.map((parameter) => {
    if (typeof parameter === 'string') return sharedParameters(builder, parameter)[0]!;
    const { part, isOwn } = parameter;
    const ownName = `${type}.${part.name}`;
    return isOwn
      ? builder.add('parameters', ownName, part)
      : builder.share('parameters', `by.${part.name}`, ownName, part);
  });
  return references.filter(({ $ref }, index) => references.findIndex((reference) => reference.$ref === $ref) === index);
}

/** Adds the schema of the query of a resource's list: the parameters of every list, its fields, and its own parameters. */
export function addQuerySchema(builder: DocumentBuilder, resource: Resource): Reference {
  const { definition, type } = resource;
  const [inAll, inRecords, specific]: [Json, Json, Json] = [{}, {}, {}];
  for (const parameter of listParameters(resource)) {
    if (typeof parameter === 'string') {
      inAll[parameter] = parameters[parameter].schema;
      continue;
    }
    const { name, schema } = parameter.part;
    const isSystem = definition.fields[name.replace(/_(from|to)$/, '')]?.system === true;
    (isSystem ? inRecords : specific)[name] = schema;
  }
  // A condition is written as text: the types of what it says are beside it.
  addConditionSchemas(builder);
  const listQuery = builder.add('schemas', 'ListQuery', partialOf(inAll));
  const recordQuery = builder.share('schemas', 'RecordQuery', `${type}RecordQuery`, partialOf(inRecords));
  return builder.add('schemas', `${type}Query`, { allOf: [listQuery, recordQuery, partialOf(specific)] });
}

function parameterFilter(name: string, { kind, label, conditions }: Parameter): NamedPart {
  const description =
    kind === 'tree'
      ? 'The branches of the tree beside the list whose records are wanted: ids separated by commas, or `none` for records in no branch.'
      : (label ?? `Parameter ${name}.`);
  return inQuery(name, description, { type: 'string', ...(conditions && { enum: Object.keys(conditions) }) });
}

/** A filter by one value of a field, or by several separated by commas unless it is a text, which may have them itself. */
function fieldFilter(field: Field): NamedPart {
  const value = plainSchema(field);
  const description = valueSchema(field).description as string | undefined;
  const { holds: valueKind } = fieldTypeOf(field);
  const isSingle = (valueKind === 'text' && field.options === undefined) || valueKind === 'object';
  return isSingle
    ? inQuery(field.name, description, value)
    : inQuery(field.name, description, { anyOf: [value, listOf(value)] }, inOneText);
}

function boundFilter(field: Field, bound: 'from' | 'to'): NamedPart {
  const description = field.label === labelOf(field.name) ? undefined : `${field.label}, ${bound}.`;
  return inQuery(`${field.name}_${bound}`, description, plainSchema(field));
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
