import { isRelation, pinNames } from '../field-types/relation';
import { unwrapId, unresolved, resolveVariable, type EvaluationContext } from '../conditions/variables';
import type { Definition, Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { isVariable } from '../conditions/grammar';
import { fieldTypeOf } from '../field-types';
import { isFiles } from '../field-types/files';
import { isInverse } from '../field-types/inverse';
import { insertedRows, insertsRecord, isRows, rowsIn } from '../field-types/rows';
import { isFileField } from '../field-types/stored-files';
import { timeOfDay } from '../field-types/time';
import { isEmpty } from '../values/is-empty';
import { withoutEmptyEnd } from './row-edits';
import { createsRecord, type FormMode } from './form-fields';

/**
 * The initial values of a form: defaults for a new record, otherwise the record's values.
 *
 * @example initialValues(definition, fields, 'create', {}, evaluationContext); // { due: '2026-11-21', name: null }
 */
export function initialValues(
  definition: Definition,
  fields: readonly Field[],
  mode: FormMode,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): ResourceRecord {
  const values: ResourceRecord = {};
  for (const field of fields) {
    const storedValue = toFormValue(field, record[field.name]);
    const isOwnValue =
      field.unique !== undefined ||
      field.initial !== undefined ||
      field.readOnly ||
      definition.copy?.resetFields.includes(field.name) ||
      (isFileField(field) && !definition.copy?.originalField);
    const startValue = mode === 'copy' && isOwnValue ? undefined : storedValue;
    const value = createsRecord(mode) && isEmpty(startValue) ? defaultValue(field, evaluationContext) : startValue;
    if (value !== undefined && value !== null) values[field.name] = value;
  }
  const { copy } = definition;
  const text = copy && values[copy.field];
  if (mode === 'copy' && copy && typeof text === 'string') values[copy.field] = `${text}${copy.suffix}`;
  return values;
}

/** A default with its variables resolved; undefined if there is none. */
function defaultValue(field: Field, evaluationContext: EvaluationContext): unknown {
  // Looked up by the server.
  if (isRelation(field) && typeof field.default === 'object') return undefined;
  if (!isVariable(field.default)) return field.default;
  const value = resolveVariable(field.default, evaluationContext);
  return value === unresolved ? undefined : value;
}

/**
 * Rows with what is typed into them: their cells, and their ids.
 *
 * @example rowsForForm(lines, record.lines); // [{ id: 4, action: 'Open' }]
 */
export function rowsForForm(field: FieldOf<'rows'>, rows: readonly ResourceRecord[]): ResourceRecord[] {
  const columns = Object.values(field.columns).filter(({ readOnly }) => !readOnly);
  return rows.map((row) => ({
    ...(row.id !== undefined && { id: row.id }),
    ...Object.fromEntries(columns.map((column) => [column.name, toFormValue(column, row[column.name]) ?? null])),
    // Shown in the form, and not sent back.
    ...(insertsRecord(field, row) && { [insertedRows]: row[insertedRows] ?? [] }),
  }));
}

/** Related records as ids, those that point here as they are, and times without the day that responses put before them. */
function toFormValue(field: Field, value: unknown): unknown {
  if (field.dateField !== undefined && typeof value === 'string') return timeOfDay(value, field);
  if (isInverse(field)) return value;
  if (isRows(field)) return Array.isArray(value) ? rowsForForm(field, rowsIn(value)) : value;
  return Array.isArray(value) ? value.map(unwrapId) : unwrapId(value);
}

/**
 * The values as the server would read them: text trimmed, emptied inputs null.
 *
 * @example parseFormValues(fields, { name: ' Ada ', note: '' }); // { name: 'Ada', note: null }
 */
export function parseFormValues(fields: readonly Field[], values: ResourceRecord): ResourceRecord {
  return Object.fromEntries(fields.map((field) => [field.name, parseFormValue(field, values[field.name] ?? null)]));
}

function parseFormValue(field: Field, value: unknown): unknown {
  if (!isRows(field) || !Array.isArray(value)) return fieldTypeOf(field).parse(value, field);
  const columns = Object.values(field.columns).filter(({ readOnly }) => !readOnly);
  return withoutEmptyEnd(field, rowsIn(value)).map((row) => ({
    ...(row.id !== undefined && { id: row.id }),
    ...parseFormValues(columns, row),
  }));
}

/**
 * Whether two values are equal: a missing value is empty, lists of ids have no order, and a file equals only itself.
 *
 * @example isSameValue([3, 5], [5, 3]); // true
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && JSON.stringify([...left].sort()) === JSON.stringify([...right].sort());
  }
  if (isFile(left) || isFile(right)) return left === right;
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Files have no JSON representation: two of them would look equal. */
function isFile(value: unknown): boolean {
  return /^\[object (File|Blob)\]$/.test(Object.prototype.toString.call(value));
}

/**
 * The versions that a form takes of the targets of relations, as they are sent: a value of the form by the name of the
 * version's field.
 *
 * @example takenVersions(fields, values); // { terms_id_pin: '2026-11-16T14:30:00.000Z' }
 */
export function takenVersions(fields: readonly Field[], values: ResourceRecord): ResourceRecord {
  const names = fields.filter(({ pin }) => pin).map(({ name }) => pinNames(name).pin);
  return Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
}

/**
 * The fields whose values differ from the initial ones.
 *
 * @example changedFields(fields, before, now).map(({ label }) => label); // ['Title']
 */
export function changedFields(fields: readonly Field[], initialRecord: ResourceRecord, now: ResourceRecord): Field[] {
  const [oldValues, newValues] = [parseFormValues(fields, initialRecord), parseFormValues(fields, now)];
  return fields.filter((field) => {
    const [oldValue, newValue] = [oldValues[field.name], newValues[field.name]];
    // Rows and files have an order; ids of related records have none.
    const isEqual = isRows(field) || isFiles(field) ? fieldTypeOf(field).isEqual : undefined;
    return !(isEqual ?? isSameValue)(oldValue, newValue);
  });
}
