import type { Definition, Field } from '../definitions/definition';
import { namedCondition } from '../conditions/parameters';
import { columnOf, typeOf } from '../field-types';
import { readId } from '../field-types/relation';

/** What a filter's name refers to: a field (possibly one end of its range), or a parameter of the definition. */
export interface FilterTarget {
  readonly field?: Field;
  readonly end?: 'from' | 'to';
  readonly parameter?: string;
}

/** Resolves a filter's name; undefined if it is unknown or the field is not filterable. */
export function filterTarget(name: string, definition: Definition): FilterTarget | undefined {
  const field = own(definition.fields, name);
  if (field && filters(field)) return { field };
  if (own(definition.parameters, name)) return { parameter: name };
  const match = /^(.+)_(from|to)$/.exec(name);
  const base = match && own(definition.fields, match[1]!);
  if (base && filters(base) && typeOf(base).ranged) return { field: base, end: match![2] as 'from' | 'to' };
  return undefined;
}

/** Whether this field can have a filter: inverse fields have none. */
export function filters(field: Field): boolean {
  return field.filterable && field.type !== 'inverse';
}

/** The filter of a list call for text written by people: contains it. Other fields filter by the exact value. */
export function textFilter(field: Field, text: string): unknown {
  const written = columnOf(field) === 'text' && typeOf(field).searchable && field.options === undefined;
  return written ? { $contains: text } : text;
}

/** The typed text of a filter's value. */
export function typedText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$contains' in value)) return value;
  return value.$contains;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Parses a filter's value from a URL; several values are separated by commas. Undefined if it is invalid or there is no
 * such filter.
 */
export function readFilterText(name: string, text: string, definition: Definition): unknown {
  if (text === '') return undefined;
  if (name === 'archive') return definition.archive && text === '1' ? 1 : undefined;
  const target = filterTarget(name, definition);
  if (!target) return undefined;
  if (target.parameter) {
    const parameter = definition.parameters[target.parameter]!;
    if (parameter.kind === 'named') return namedCondition(parameter, text) && text;
    const means = parameter.field;
    const field = means === undefined ? undefined : own(definition.fields, means);
    if (field && isListed(field)) return readListed(text, field);
    return readId(text) ?? text;
  }
  if (isListed(target.field!)) return readListed(text, target.field!);
  const { fromText, answer = (value: unknown) => value } = typeOf(target.field!);
  // As the API writes it, so that it can be written into an address again.
  const value = answer(fromText(text, target.field!));
  return typeof value === 'string' && !target.end ? textFilter(target.field!, value) : value;
}

/** Types whose values never contain a comma, so that several can be listed. */
function isListed(field: Field): boolean {
  return field.type === 'relation' || field.type === 'relations' || field.type === 'select' || field.name === 'id';
}

function readListed(text: string, field: Field): unknown {
  const values = text.split(',').map((part) => readOne(part, field));
  if (values.some((value) => value === undefined)) return undefined;
  return values.length > 1 ? values : values[0];
}

function readOne(text: string, field: Field): unknown {
  if (field.type === 'select') return field.options?.find(({ value }) => String(value) === text)?.value;
  return readId(text);
}

/** A filter's value as an address writes it. */
export function writeFilterValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(typedText(value));
}
