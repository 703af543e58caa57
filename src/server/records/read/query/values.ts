import { maxId } from '../../../../engine/field-types/relation';
import type { Field } from '../../../../engine/definitions/definition';
import { fieldTypes, fieldTypeOf, valueTypeOf, type FieldType } from '../../../../engine/field-types';
import { presentValue } from '../../../../engine/field-types/former-values';
import { singleValueField } from '../../../../engine/field-types/select';
import { isDate } from '../../../../engine/formats/dates';
import { findViolation } from '../../../../engine/validation/find-violation';
import { isStorable } from '../../../../engine/values/storable';
import { BadRequest } from '../../../errors/errors';

const MAX_LENGTH = 1_000;

/** A value for use in a message: quoted and shortened. */
export function quoteValue(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  return text === undefined ? 'this' : text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Parses one value to compare a field with: query text by the field's type, JSON is checked against it. A date for a
 * date-time field stays a date. Throws BadRequest, naming the parameter, for a value of another type.
 */
export function parseFilterValue(name: string, sourceField: Field, value: unknown, text: boolean): unknown {
  const field = singleValueField(sourceField);
  if (value === null && !text) return null;
  const createError = () => new BadRequest(`${name}: ${quoteValue(value)} is not a valid value for ${field.label}.`);
  if (typeof value === 'string' && (value.length > MAX_LENGTH || !isStorable(value))) throw createError();
  // Related records are compared by their ids, whichever side the relation is on.
  const type: FieldType = field.countName !== undefined ? fieldTypes.relation : fieldTypeOf(field);
  if (typeof value === 'string' && (valueTypeOf(field) !== 'text' || type.holds === 'time')) {
    if (value.trim() === '') throw createError();
    const read = type.fromText(value, field);
    if (read === undefined) throw createError();
    value = read;
  } else if (!text || typeof value !== 'string') {
    value = type.parse(value, field);
  }
  value = presentValue(field, value);
  if (type.holds === 'instant' && typeof value === 'string' && isDate(value)) return value;
  if (violates(field, type, value)) throw createError();
  return value;
}

/** Limits, lengths and patterns apply to stored values, not to filters. */
function violates(field: Field, type: FieldType, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (type.holds === 'time') return findViolation(type.schema(field), value) !== undefined;
  if (valueTypeOf(field) === 'text') return typeof value !== 'string';
  const limits = field.integer ? { min: -maxId, max: maxId } : { min: undefined, max: undefined };
  const unlimited = { ...field, ...limits } as Field;
  return findViolation(type.schema(unlimited), value) !== undefined;
}

/** Parses true or false, in the spellings that clients use. */
export function parseFlag(name: string, value: unknown): boolean {
  if (value === 1 || value === true || value === '1' || value === 'true') return true;
  if (value === 0 || value === false || value === '0' || value === 'false') return false;
  throw new BadRequest(`${name} must be 1 or 0, not ${quoteValue(value)}.`);
}
