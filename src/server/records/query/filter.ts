import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { typeOf } from '../../../engine/field-types';
import { readableFields } from '../../access/readable';
import type { RequestContext } from '../../access/request-context';
import { daysOf } from '../../../engine/formats/dates';
import { BadRequest } from '../../errors/errors';
import { compared, fieldFilter } from './field-filter';
import { parameterFilter } from './parameter';
import { shown } from './values';

/** What a query name and its value ask for. Throws BadRequest for a name that is none and a value of the wrong type. */
export function filterCondition(
  context: RequestContext,
  definition: Definition,
  name: string,
  value: unknown,
  text: boolean,
): Predicate {
  const parameter = Object.hasOwn(definition.parameters, name) ? definition.parameters[name] : undefined;
  if (parameter && !isOfField(definition, name, value))
    return parameterFilter(context, definition, name, parameter, value, text);
  const field = filterable(context, definition, name);
  if (field) return fieldFilter(context, name, field, value, text);
  const bound = /^(.+)_(from|to)$/.exec(name);
  const ranged = bound && filterable(context, definition, bound[1]!);
  if (!ranged || !typeOf(ranged).ranged) {
    throw new BadRequest(
      `${definition.labels.many} have no filter named ${shown(name).slice(1, -1)}.`,
      'UNKNOWN_FILTER',
    );
  }
  return compared(context, name, ranged, bound[2] === 'from' ? '$gte' : '$lte', value, text);
}

/** A month may share its name with a field, whose every other value is. */
function isOfField({ parameters, fields }: Definition, name: string, value: unknown): boolean {
  return parameters[name]!.kind === 'month' && Object.hasOwn(fields, name) && !daysOf(String(value));
}

/** The field of a name, where it filters and the caller reads it on every record. */
function filterable(context: RequestContext, definition: Definition, name: string): Field | undefined {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  return field?.filterable && readableFields(context.actor, definition).always.has(name) ? field : undefined;
}
