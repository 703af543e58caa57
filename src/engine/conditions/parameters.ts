import { treeCondition } from './tree';
import type { Condition, Definition, Parameter } from '../definitions/definition';
import { daysOfMonth } from '../formats/dates';
import { firstOf, requireValue } from '../values/lookups';

/**
 * Expands parameters (query names that are not fields): `{"is_parent": 1}` becomes the condition from the resource's
 * definition. If a field and a parameter have the same name, the field wins.
 *
 * @example expandParameters({ is_parent: 1 }, projectModules); // { parent_module: null }
 */
export function expandParameters(condition: Condition, definition: Definition): Condition {
  const parts = Object.entries(condition).map(([key, value]): Condition => {
    if (key === '$and' || key === '$or' || key === '$nor') {
      return { [key]: (value as Condition[]).map((part) => expandParameters(part, definition)) };
    }
    const parameter = key in definition.fields ? undefined : definition.parameters[key];
    return parameter ? parameterCondition(parameter, value) : { [key]: value };
  });
  return parts.length === 1 ? firstOf(parts) : { $and: parts };
}

/**
 * The condition of a parameter for a value (a variable, a plain value, a list).
 *
 * @example
 * parameterCondition(createdFrom, '2026-11-01'); // { created_at: { $gte: '2026-11-01' } }
 */
export function parameterCondition(parameter: Parameter, value: unknown): Condition {
  if (parameter.kind === 'unlimited') return {};
  if (parameter.kind === 'tree') return treeCondition(parameter.tree ?? [], value);
  if (parameter.kind === 'named') return conditionOfNamedValue(parameter, value) ?? { $nor: [{}] };
  if (parameter.kind === 'flag') {
    const isOn = value === 1 || value === true || value === '1' || value === 'true';
    const condition = requireValue(parameter.where, 'where of a flag');
    return isOn ? condition : { $nor: [condition] };
  }
  if (parameter.kind === 'span') {
    const [startDate, endDate] = String(value).split('T', 2);
    const bounds = { ...(startDate && { $gte: startDate }), ...(endDate && { $lte: endDate }) };
    return Object.keys(bounds).length === 0 ? {} : { [fieldOfParameter(parameter)]: bounds };
  }
  if (parameter.kind === 'month') {
    const days = daysOfMonth(String(value));
    return days ? { [fieldOfParameter(parameter)]: { $gte: days.first, $lte: days.last } } : { $nor: [{}] };
  }
  if (parameter.where) return substituteValue(parameter.where, value) as Condition;
  return { [fieldOfParameter(parameter)]: value };
}

/**
 * The condition of one value of a `named` parameter; undefined for an unknown value.
 *
 * @example conditionOfNamedValue(parameter, 'open'); // { status_id: { $ne: 5 } }
 */
export function conditionOfNamedValue({ conditions }: Parameter, value: unknown): Condition | undefined {
  return typeof value === 'string' && conditions && Object.hasOwn(conditions, value) ? conditions[value] : undefined;
}

function fieldOfParameter({ kind, field }: Parameter): string {
  return requireValue(field, `the field of a ${kind} parameter`);
}

function substituteValue(part: unknown, value: unknown): unknown {
  if (part === '$value') return value;
  if (Array.isArray(part)) return part.map((member) => substituteValue(member, value));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, substituteValue(inner, value)]));
}
