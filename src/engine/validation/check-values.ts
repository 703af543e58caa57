import type { Surroundings } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { typeOf } from '../field-types';
import { interpret, type Violation } from './interpret';
import { afterMessage, futureMessage, notBeforeMessage, requiredMessage, violationMessage } from './messages';
import { isVisible, requiredFields, writableFields, type Strictness } from './record-schema';
import { isStorable } from './storable';

/** Field name → error message. */
export type FieldErrors = Record<string, string>;

/** Validates one value; the server passes ajv's compiled validator, the browser uses the interpreter. */
export type Judge = (field: Field, value: unknown) => Violation | undefined;

const interpreted: Judge = (field, value) => interpret(typeOf(field).schema(field), value);

/**
 * Validates the values of a record to be stored: required values, each value's schema, and ends before starts.
 * `changed` limits the checks to the written fields (a stored value that violates a newer rule does not block others).
 */
export function checkValues(
  definition: Definition,
  values: ResourceRecord,
  options: { strictness: Strictness; surroundings: Surroundings; changed?: ReadonlySet<string>; judge?: Judge },
): FieldErrors {
  const { strictness, surroundings, changed, judge = interpreted } = options;
  const touched = (field: Field) => !changed || changed.has(field.name);
  const errors: FieldErrors = {};
  const required = new Set(requiredFields(definition, strictness, values, surroundings));
  for (const field of writableFields(definition)) {
    const value = values[field.name];
    if (isEmpty(value)) {
      if (required.has(field) && (touched(field) || !field.required)) errors[field.name] = requiredMessage(field);
      continue;
    }
    // The API stores what it receives, also for a field that the form does not show.
    if (!touched(field) || (strictness === 'form' && !isVisible(field, values, surroundings))) continue;
    const violation = judge(field, value) ?? (isStorable(value) ? undefined : { keyword: 'storable' });
    if (violation) errors[field.name] = violationMessage(field, violation, strictness);
  }
  checkFuture(definition, values, errors, touched, surroundings.today);
  checkOrder(definition, values, errors, touched);
  return errors;
}

/** Whether a value counts as none. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function checkFuture(
  definition: Definition,
  values: ResourceRecord,
  errors: FieldErrors,
  touched: (field: Field) => boolean,
  today: string | undefined,
): void {
  for (const field of writableFields(definition)) {
    const value = values[field.name];
    if (field.notAfter === undefined || errors[field.name] || !touched(field) || today === undefined) continue;
    if (typeof value === 'string' && value > today) errors[field.name] = futureMessage(field);
  }
}

function checkOrder(
  definition: Definition,
  values: ResourceRecord,
  errors: FieldErrors,
  touched: (field: Field) => boolean,
): void {
  for (const field of writableFields(definition)) {
    const start = definition.fields[field.notBefore ?? field.after ?? ''];
    if (!start || errors[field.name] || errors[start.name] || !(touched(field) || touched(start))) continue;
    const [from, to] = [values[start.name], values[field.name]] as [string, string];
    if (isEmpty(from) || isEmpty(to) || typeof from !== typeof to) continue;
    if (field.notBefore !== undefined && to < from) errors[field.name] = notBeforeMessage(field, start, from);
    if (field.after !== undefined && to <= from) errors[field.name] = afterMessage(field, start, from);
  }
}
