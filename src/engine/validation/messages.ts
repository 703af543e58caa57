import { joinNames } from '../formats/join-names';
import type { Definition, Field, OverlapRule, UniqueRule } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { isAnyRelation } from '../field-types/relation';
import { formatDate, isDate } from '../formats/dates';
import type { Violation } from './find-violation';
import type { Strictness } from './record-schema';
import { propertyOf } from '../values/lookups';

/**
 * The message for a missing value.
 *
 * @example requiredMessage({ label: 'Title' }); // 'Title is required.'
 */
export function requiredMessage(field: Pick<Field, 'label'>): string {
  return `${field.label} is required.`;
}

/**
 * The message for an unknown property.
 *
 * @example unknownPropertyMessage('titel'); // 'Unknown property titel.'
 */
export function unknownPropertyMessage(name: string): string {
  return `Unknown property ${shortened(name)}.`;
}

/** Unknown properties of a body that are reported, and how much of their names: no answer is as long as any body. */
const maxUnknown = 20;
const maxNameLength = 100;
const shortened = (name: string) => (name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`);

/**
 * Returns a function that adds the error for an unknown property, at its place, until there are many of them.
 *
 * @example
 *   const addUnknown = unknownProperties(errors);
 *   addUnknown('titel'); // { titel: 'Unknown property titel.' }
 */
export function unknownProperties(errors: Record<string, string>): (name: string, place?: string) => void {
  let count = 0;
  return (name, path = name) => {
    if (count++ < maxUnknown) errors[shortened(path)] = unknownPropertyMessage(name);
  };
}

/** The message for an end before its start. */
export function notBeforeMessage(field: Field, start: Field, value: unknown): string {
  return `${field.label} must not be before ${start.label} (${formatValue(value)}).`;
}

/** The message for an end that is not after its start. */
export function afterMessage(field: Field, start: Field, value: unknown): string {
  return `${field.label} must be after ${start.label} (${formatValue(value)}).`;
}

/** The message for a date in the future. */
export function inFutureMessage(field: Pick<Field, 'label'>): string {
  return `${field.label} cannot be in the future.`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && isDate(value) ? formatDate(value) : String(value);
}

/**
 * The message for a record whose values of a unique combination another record has already.
 *
 * @example
 * repeatedMessage(companies, { fields: ['name', 'country'] }); // 'A record with this name and country exists already.'
 */
export function repeatedMessage({ fields }: Pick<Definition, 'fields'>, rule: UniqueRule): string {
  const labels = rule.fields.map((name) => propertyOf(fields, name).label.toLowerCase());
  return rule.message ?? `A record with this ${joinNames(labels)} exists already.`;
}

/**
 * The message for a record whose span of time overlaps that of another.
 *
 * @example overlapMessage(loans, { fields: ['from', 'to'], per: ['asset_id'] }); // 'Another record with this asset overlaps this one: change From or To.'
 */
export function overlapMessage({ fields }: Pick<Definition, 'fields'>, rule: OverlapRule): string {
  const labels = rule.partitionBy.map((name) => propertyOf(fields, name).label.toLowerCase());
  const partition = labels.length > 0 ? ` with this ${joinNames(labels)}` : '';
  const fieldNames = joinNames(
    rule.fields.map((name) => propertyOf(fields, name).label),
    'or',
  );
  return rule.message ?? `Another record${partition} overlaps this one: change ${fieldNames}.`;
}

/**
 * The message for a choice that is not available (any more).
 *
 * @example unavailableChoiceMessage({ label: 'Project' }); // 'Project: this choice is not available.'
 */
export function unavailableChoiceMessage(field: Pick<Field, 'label'>): string {
  return `${field.label}: this choice is not available.`;
}

/**
 * The messages for violated rules, shared by forms, the API and imports. Dates are described in the format used there.
 *
 * @example violationMessage(title, { keyword: 'maxLength', limit: 50 }); // 'Title must have at most 50 characters.'
 */
export function violationMessage(field: Field, violation: Violation, strictness: Strictness = 'api'): string {
  const { label } = field;
  switch (violation.keyword) {
    case 'minLength':
      return fieldTypeOf(field).ruleMessage ?? `${label} must have at least ${String(violation.limit)} characters.`;
    case 'maxLength':
      return `${label} must have at most ${String(violation.limit)} characters.`;
    case 'pattern':
      return (
        field.patternMessage ?? fieldTypeOf(field).ruleMessage ?? `${label} contains characters that are not allowed.`
      );
    case 'storable':
      return `${label} contains characters that are not allowed.`;
    case 'minimum':
      return `${label} must be at least ${String(violation.limit)}.`;
    case 'maximum':
      return `${label} must be at most ${String(violation.limit)}.`;
    case 'decimals':
      return `${label} must have at most ${String(violation.limit)} decimals.`;
    case 'enum':
    case 'items':
    case 'uniqueItems':
      return unavailableChoiceMessage(field);
    case 'minItems':
      return `${label} must have at least ${String(violation.limit)} ${violation.limit === 1 ? 'entry' : 'entries'}.`;
    case 'maxItems':
      return `${label} must have at most ${String(violation.limit)} entries.`;
    case 'format':
      return formatMessage(label, violation.limit, strictness);
    default:
      return typeMessage(field, violation.limit);
  }
}

function formatMessage(label: string, format: unknown, strictness: Strictness): string {
  if (format === 'uri') return 'Invalid Url';
  if (format === 'email') return `${label} must be an email address such as name@example.com.`;
  if (format === 'time' || format === 'end-time') return `${label} must be a time such as 14:30.`;
  if (strictness === 'form') return `${label} must be a date such as ${formatDate('2026-11-16')}.`;
  return `${label} must be a date such as 2026-11-16${format === 'date-time' ? 'T14:30:00Z' : ''}.`;
}

function typeMessage(field: Field, type: unknown = fieldTypeOf(field).schema(field).type): string {
  if (isAnyRelation(field)) return unavailableChoiceMessage(field);
  const words: Record<string, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  };
  return `${field.label} must be ${words[String(type)] ?? 'a value of another type'}.`;
}
