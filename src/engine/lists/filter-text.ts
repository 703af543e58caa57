import type { Definition, Field } from '../definitions/definition';
import { conditionOfNamedValue } from '../conditions/parameters';
import { columnTypeOf, fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isAnyRelation, parseId } from '../field-types/relation';
import { optionValues } from '../field-types/select';
import { itemAt, ownProperty, propertyOf, requireValue } from '../values/lookups';

/** The target of a filter's name: a field (possibly one end of its range), or a parameter of the definition. */
export interface FilterTarget {
  readonly field?: Field;
  readonly end?: 'from' | 'to';
  readonly parameter?: string;
}

/**
 * Resolves a filter's name; undefined if it is unknown or the field is not filterable.
 *
 * @example resolveFilterName('created_at', definition);
 */
export function resolveFilterName(name: string, definition: Definition): FilterTarget | undefined {
  const field = ownProperty(definition.fields, name);
  if (field && isFilterable(field)) return { field };
  if (ownProperty(definition.parameters, name)) return { parameter: name };
  const match = /^(.+)_(from|to)$/.exec(name);
  const base = match && ownProperty(definition.fields, itemAt(match, 1));
  if (match && base && isFilterable(base) && fieldTypeOf(base).hasRangeFilter)
    return { field: base, end: match[2] as 'from' | 'to' };
  return undefined;
}

/** Whether this field can have a filter: inverse fields have none. */
export function isFilterable(field: Field): boolean {
  return field.filterable && !isInverse(field);
}

/**
 * The filter of a list call for text written by people: contains it. Other fields filter by the exact value.
 *
 * @example textFilter(name, 'log in'); // { $contains: 'log in' }
 */
export function textFilter(field: Field, text: string): unknown {
  const isFreeText = columnTypeOf(field) === 'text' && fieldTypeOf(field).searchable && field.options === undefined;
  return isFreeText ? { $contains: text } : text;
}

/**
 * The typed text of a filter's value.
 *
 * @example textOfFilter({ $contains: 'log in' }); // 'log in'
 */
export function textOfFilter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$contains' in value)) return value;
  return value.$contains;
}

/**
 * Parses a filter's value from a URL; several values are separated by commas. Undefined if it is invalid or there is no
 * such filter.
 */
export function parseFilterValue(name: string, text: string, definition: Definition): unknown {
  if (text === '') return undefined;
  if (name === 'archive') return definition.archive && text === '1' ? 1 : undefined;
  const target = resolveFilterName(name, definition);
  if (!target) return undefined;
  if (target.parameter) {
    const parameter = propertyOf(definition.parameters, target.parameter);
    if (parameter.kind === 'named') return conditionOfNamedValue(parameter, text) && text;
    const fieldName = parameter.field;
    const field = fieldName === undefined ? undefined : ownProperty(definition.fields, fieldName);
    if (field && allowsList(field)) return parseList(text, field);
    return parseId(text) ?? text;
  }
  const field = requireValue(target.field, `the field of the filter ${name}`);
  if (allowsList(field)) return parseList(text, field);
  const { fromText, toResponse = (value: unknown) => value } = fieldTypeOf(field);
  // As the API writes it, so that it can be written into an address again.
  const value = toResponse(fromText(text, field));
  return typeof value === 'string' && !target.end ? textFilter(field, value) : value;
}

/** Types whose values never contain a comma, so that several can be listed. */
function allowsList(field: Field): boolean {
  return isAnyRelation(field) || field.options !== undefined || field.name === 'id';
}

function parseList(text: string, field: Field): unknown {
  const values = text.split(',').map((part) => parseOne(part, field));
  if (values.some((value) => value === undefined)) return undefined;
  return values.length > 1 ? values : values[0];
}

function parseOne(text: string, field: Field): unknown {
  if (field.options) return field.options.find((option) => optionValues(option).map(String).includes(text))?.value;
  return parseId(text);
}

/**
 * A filter's value as an address writes it.
 *
 * @example formatFilterValue([3, 5]); // '3,5'
 */
export function formatFilterValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(textOfFilter(value));
}
