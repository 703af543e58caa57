import { evaluateOnValues } from '../conditions/match-values';
import { comparedFields } from '../conditions/variables-in';
import type { EvaluationContext } from '../conditions/variables';
import type { Condition, Definition, Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { toEnd } from '../field-types/time';
import { cellPath, computedColumns, isRows, rowsIn, insertsRecord, ownColumns, insertionIn } from '../field-types/rows';
import { findViolation, type Violation } from './find-violation';
import { afterMessage, inFutureMessage, notBeforeMessage, requiredMessage, violationMessage } from './messages';
import { isFieldVisible, requiredFields, writableFields, type Strictness } from './record-schema';
import { isEmpty } from '../values/is-empty';
import { isEqualJson } from '../values/equal-values';
import { isStorable } from '../values/storable';
import { transitionErrors } from './transitions';
import { propertyOf } from '../values/lookups';

/** Field name, or the place of a cell such as `lines[2].amount` → error message. */
export type FieldErrors = Record<string, string>;

/** Validates one value; the server passes ajv's compiled validator, the browser uses the interpreter. */
export type Validator = (field: Field, value: unknown) => Violation | undefined;

const interpretingValidator: Validator = (field, value) => findViolation(fieldTypeOf(field).schema(field), value);

/**
 * Validates the values of a record to be stored: required values, each value's schema, ends before starts, changes
 * of states, and the definition's own rules.
 * `changed` limits the checks of single fields to the written ones (a stored value that violates a newer limit does not
 * block others); the definition's own rules are checked whatever is written.
 *
 * @example
 * validateValues(definition, { name: '' }, { strictness: 'api', evaluationContext }); // { name: 'Title is required.' }
 */
export function validateValues(
  definition: Pick<Definition, 'fields' | 'validate'>,
  values: ResourceRecord,
  options: {
    strictness: Strictness;
    evaluationContext: EvaluationContext;
    changed?: ReadonlySet<string>;
    validate?: Validator;
  },
): FieldErrors {
  const { strictness, evaluationContext, changed: changedNames, validate = interpretingValidator } = options;
  const isChecked = (field: Field) => !changedNames || changedNames.has(field.name);
  const errors: FieldErrors = {};
  const requiredList = new Set(requiredFields(definition, strictness, values, evaluationContext));
  for (const field of writableFields(definition)) {
    const value = values[field.name];
    if (isEmpty(value)) {
      if (requiredList.has(field) && (isChecked(field) || !field.required)) errors[field.name] = requiredMessage(field);
      continue;
    }
    // The API stores what it receives, also for a field that the form does not show.
    if (!isChecked(field) || (strictness === 'form' && !isFieldVisible(definition, field, values, evaluationContext)))
      continue;
    const violation =
      validate(field, value) ??
      fieldTypeOf(field).brokenRule?.(value, field) ??
      (isRows(field) || isStorable(value) ? undefined : { keyword: 'storable' });
    if (violation) errors[field.name] = violationMessage(field, violation, strictness);
  }
  validateNotInFuture(definition, values, errors, isChecked, evaluationContext.today);
  validateOrder(definition, values, errors, isChecked);
  validateTransitions(definition, values, errors, isChecked, evaluationContext);
  validateRules(definition, values, errors, evaluationContext);
  return { ...errors, ...cellErrors(definition, values, errors, isChecked, options) };
}

/** The faults in the cells of rows that were written. A row that stayed as it was stored blocks nothing. */
function cellErrors(
  definition: Pick<Definition, 'fields'>,
  values: ResourceRecord,
  errors: FieldErrors,
  isChecked: (field: Field) => boolean,
  { strictness, evaluationContext, validate }: Parameters<typeof validateValues>[2],
): FieldErrors {
  const cellProblems: FieldErrors = {};
  for (const field of writableFields(definition)) {
    if (!isRows(field) || errors[field.name] || !isChecked(field)) continue;
    if (strictness === 'form' && !isFieldVisible(definition, field, values, evaluationContext)) continue;
    const rowValues = rowsIn(values[field.name]);
    if (rowValues.length < field.minItems)
      cellProblems[field.name] = violationMessage(field, { keyword: 'minItems', limit: field.minItems });
    const storedRows = new Map(rowsIn(evaluationContext.record?.[field.name]).map((row) => [row.id, row]));
    const {
      record: _record,
      form: _form,
      isComplete: _isComplete,
      derived: derivedValues,
      ...rowContext
    } = evaluationContext;
    const computedRows = rowsIn(derivedValues?.[field.name]);
    rowValues.forEach((row, index) => {
      if (isEqualJson(storedRows.get(row.id), row)) return;
      const inserts = insertsRecord(field, row);
      const ownList = inserts ? ownColumns(field) : [];
      const fields = inserts
        ? { [insertionIn(field).by]: propertyOf(field.columns, insertionIn(field).by) }
        : field.columns;
      const columns = { fields, validate: [] };
      for (const { name, label } of ownList)
        if (!isEmpty(row[name]))
          cellProblems[cellPath(field, index, name)] =
            `${label} must be empty: this row stands for the rows of the record that it inserts.`;
      const rowErrors = validateValues(columns, row, {
        strictness,
        evaluationContext: {
          ...rowContext,
          ...(derivedValues && { derived: computedCells(field, computedRows[index]) }),
        },
        ...(validate && { validate }),
      });
      for (const [name, message] of Object.entries(rowErrors)) cellProblems[cellPath(field, index, name)] = message;
    });
  }
  return cellProblems;
}

/** The cells of a row that are computed from others. */
function computedCells(field: FieldOf<'rows'>, row: ResourceRecord = {}): ResourceRecord {
  return Object.fromEntries(computedColumns(field).map(({ name }) => [name, row[name]]));
}

function validateNotInFuture(
  definition: Pick<Definition, 'fields' | 'validate'>,
  values: ResourceRecord,
  errors: FieldErrors,
  isChecked: (field: Field) => boolean,
  today: string | undefined,
): void {
  for (const field of writableFields(definition)) {
    const value = values[field.name];
    if (field.maxDate === undefined || errors[field.name] || !isChecked(field) || today === undefined) continue;
    if (typeof value === 'string' && value > today) errors[field.name] = inFutureMessage(field);
  }
}

function validateOrder(
  definition: Pick<Definition, 'fields' | 'validate'>,
  values: ResourceRecord,
  errors: FieldErrors,
  isChecked: (field: Field) => boolean,
): void {
  for (const field of writableFields(definition)) {
    const start = definition.fields[field.notBefore ?? field.laterThan ?? ''];
    if (!start || errors[field.name] || errors[start.name] || !(isChecked(field) || isChecked(start))) continue;
    const [startValue, endValue] = [values[start.name], values[field.name]] as [string, string];
    if (isEmpty(startValue) || isEmpty(endValue) || typeof startValue !== typeof endValue) continue;
    if (field.notBefore !== undefined && endValue < startValue)
      errors[field.name] = notBeforeMessage(field, start, startValue);
    if (field.laterThan !== undefined && toEnd(endValue) <= startValue)
      errors[field.name] = afterMessage(field, start, startValue);
  }
}

function validateTransitions(
  definition: Pick<Definition, 'fields' | 'validate'>,
  values: ResourceRecord,
  errors: FieldErrors,
  isChecked: (field: Field) => boolean,
  evaluationContext: EvaluationContext,
): void {
  for (const field of Object.values(definition.fields)) {
    if (!field.transitions || errors[field.name] || !isChecked(field)) continue;
    const transitionProblems = transitionErrors(definition.fields, field, values, evaluationContext);
    for (const [name, message] of Object.entries(transitionProblems)) errors[name] ??= message;
  }
}

function validateRules(
  definition: Pick<Definition, 'fields' | 'validate'>,
  values: ResourceRecord,
  errors: FieldErrors,
  evaluationContext: EvaluationContext,
): void {
  for (const { condition: rule, where: scopeCondition, field, message } of definition.validate) {
    const names = [field, ...comparedFields(rule), ...(scopeCondition ? comparedFields(scopeCondition) : [])];
    if (names.some((name) => errors[name])) continue;
    // The server decides where a form lacks a value.
    const isMet = (condition: Condition) => evaluateOnValues(definition.fields, condition, values, evaluationContext);
    if (scopeCondition && isMet(scopeCondition) !== true) continue;
    if (isMet(rule) === false) errors[field] = message;
  }
}
