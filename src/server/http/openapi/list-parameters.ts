import { responseNamesOf } from '../../../engine/definitions/response-names';
import type { Definition } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { valueSchema, type Json } from './record-schemas';

/**
 * The `fields` parameter, which reduces the response of a list or record to some of the names that the caller may read.
 */
export function fieldsParameter(definition: Definition, kind: 'list' | 'one', readable: ReadonlySet<string>): Json {
  const fields = Object.values(definition.fields).filter(({ name }) => readable.has(name));
  const names = [...new Set(fields.flatMap((field) => responseNamesOf(field, kind)))];
  return {
    name: 'fields',
    in: 'query',
    description:
      'Returns only the id and these fields, embeds and counts of each record, separated by commas, as in id,name. Other fields are not read from the database either. An unknown name: 400.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { enum: names } },
  };
}

/** The query parameters of a list: both formats, and every field and parameter that the caller can filter by. */
export function listParameters(definition: Definition, readable: ReadonlySet<string>): Json[] {
  const filters = Object.values(definition.fields).filter((field) => field.filterable && readable.has(field.name));
  const text = (name: string, description: string): Json => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  });
  return [
    text('q', 'Searches all text fields, case-insensitive.'),
    text('sort_by', 'A field; with a minus sign in front, descending.'),
    text('range', 'First and last position, as in [0,14].'),
    text('filter', 'An object of fields and values, as in {"id":[1,2]}.'),
    text('sort', 'Field and direction, as in ["id","ASC"].'),
    fieldsParameter(definition, 'list', readable),
    ...(definition.archive
      ? [{ name: 'archive', in: 'query', description: '1: archived records only.', schema: { enum: [0, 1] } }]
      : []),
    ...filters.map((field): Json => ({
      name: field.name,
      in: 'query',
      description: String(valueSchema(field).description),
      schema: { type: 'string' },
    })),
    ...filters
      .filter((field) => fieldTypeOf(field).hasRangeFilter)
      .flatMap((field) => [
        text(`${field.name}_from`, `${field.label}, from.`),
        text(`${field.name}_to`, `${field.label}, to.`),
      ]),
    ...Object.entries(definition.parameters).map(([name, parameter]): Json => ({
      ...text(name, parameter.label ?? `Parameter ${name}.`),
      ...(parameter.named && { schema: { type: 'string', enum: Object.keys(parameter.named) } }),
    })),
  ].filter((parameter, index, all) => all.findIndex((other) => other.name === parameter.name) === index);
}
