import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { allOf } from '../../access/access-filter';
import { readableFields } from '../../access/readable-fields';
import type { RequestContext } from '../../access/request-context';
import { daysOfMonth } from '../../../engine/formats/dates';
import { BadRequest } from '../../errors/errors';
import { inverseFilter } from '../selection';
import { comparisonFilter, fieldFilter } from './field-filter';
import { parameterFilter } from './parameter';
import { quoteValue } from './values';

/** The predicate of a query parameter. Throws BadRequest for an unknown name or a value of the wrong type. */
export function parseFilter(
  context: RequestContext,
  definition: Definition,
  name: string,
  value: unknown,
  text: boolean,
): Predicate {
  const parameter = Object.hasOwn(definition.parameters, name) ? definition.parameters[name] : undefined;
  if (parameter && !isFieldValue(definition, name, value))
    return parameterFilter(context, definition, name, parameter, value, text);
  const field = filterableField(context, definition, name);
  if (field) return restrictInverse(context, field, fieldFilter(context, name, field, value, text));
  const bound = /^(.+)_(from|to)$/.exec(name);
  const ranged = bound && filterableField(context, definition, bound[1]!);
  if (!ranged || !fieldTypeOf(ranged).hasRangeFilter) {
    throw new BadRequest(`Unknown filter ${quoteValue(name).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  }
  return comparisonFilter(context, name, ranged, bound[2] === 'from' ? '$gte' : '$lte', value, text);
}

/** Restricts conditions on an inverse field to the records that the caller may list. */
function restrictInverse(context: RequestContext, field: Field, predicate: Predicate): Predicate {
  const door = field.inverse && inverseFilter(context, field);
  if (!door) return predicate;
  const some = (of: readonly Predicate[]): Predicate => ({ kind: 'some', field: field.name, of: allOf([door, ...of]) });
  const translate = (one: Predicate): Predicate => {
    if (one.kind === 'not') return { kind: 'not', of: translate(one.of) };
    if (one.kind === 'all' || one.kind === 'any') return { kind: one.kind, of: one.of.map(translate) };
    if (one.kind !== 'compare') return one;
    const { operator, right } = one;
    const isNegative = operator === '$ne' || operator === '$nin';
    const empty = right === null || right === undefined;
    const id: Predicate = {
      kind: 'compare',
      left: 'id',
      operator: operator === '$ne' ? '$eq' : operator === '$nin' ? '$in' : operator,
      right,
    };
    const found = some(empty ? [] : [id]);
    return isNegative === empty ? found : { kind: 'not', of: found };
  };
  return translate(predicate);
}

/** A month parameter may have the same name as a field; every value that is not a month belongs to the field. */
function isFieldValue({ parameters, fields }: Definition, name: string, value: unknown): boolean {
  return parameters[name]!.kind === 'month' && Object.hasOwn(fields, name) && !daysOfMonth(String(value));
}

/** The field with this name, if it is filterable and the caller may read it on every record. */
function filterableField(context: RequestContext, definition: Definition, name: string): Field | undefined {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field?.filterable || !readableFields(context.actor, definition).always.has(name)) return undefined;
  // A caller who may not list the related records must not learn anything about them here either.
  return field.inverse && !inverseFilter(context, field) ? undefined : field;
}
