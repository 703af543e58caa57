import { predicateOf } from '../conditions/match-condition';
import { relatedTestsIn } from '../conditions/related-tests';
import { computedKind } from '../conditions/computed-kind';
import { expressionOf, usesCalendar } from '../expressions/grammar';
import { isRelation } from '../field-types/relation';
import { columnTypes, isRows, ownColumns } from '../field-types/rows';
import type { Condition, Field, FieldOf } from '../definitions/definition';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import { isReservedName } from './check-names';
import { joinPointer } from '../definitions/problems';
import { rowColumns, rowDefinition } from '../field-types/row-definition';
import type { FieldSource, Source } from '../language/source';
import { ownProperty, propertyOf } from '../values/lookups';

/** The keys that a column of rows cannot have: it is a cell, not a field of the record. */
export const columnlessKeys: Partial<Readonly<Record<keyof FieldSource, string>>> = {
  unique: 'Rows are not compared with those of other records.',
  visible: 'Every row has the same columns.',
  secret: 'Make the whole field secret.',
  virtual: 'Rows are stored.',
  container: 'The row already lives within its record.',
  maxDepth: 'Rows do not contain rows.',
  similar: 'Records are compared, not their rows.',
  pin: 'Versions are remembered by fields of the record.',
  transitions: 'States belong to records. Make records of another module, which point to this one.',
  initial: 'Set "default".',
  multiple: 'A cell has one value.',
  searchable: 'Set it on the field of the rows.',
  sortable: 'Rows keep the order that people give them.',
  filterable: 'Lists filter records, not rows.',
};

/**
 * Checks the columns of a field with rows: their types and names, and with `checkColumn` what every field is checked
 * for, as a field of a row.
 */
export function checkRowFields(
  subject: CheckSubject,
  path: string,
  field: Field,
  checkColumn: (rows: CheckSubject, path: string, column: Field) => void,
): void {
  if (!isRows(field)) return;
  const columnSources = subject.source.fields[field.name]?.fields ?? {};
  const definition = rowDefinition(subject.definition, field);
  const rows: CheckSubject = { ...subject, definition, source: { ...subject.source, fields: columnSources } as Source };
  if (field.minItems > field.maxItems)
    reportProblem(
      subject,
      joinPointer(path, 'minItems'),
      'The least number of rows is greater than the most ("maxItems").',
    );
  if (Object.keys(columnSources).length === 0)
    reportProblem(subject, joinPointer(path, 'fields'), 'Rows need at least one column.');
  const reservedNames: readonly string[] = [...Object.values(rowColumns), 'site_id'];
  for (const [name, source] of Object.entries(columnSources)) {
    const columnPath = joinPointer(joinPointer(path, 'fields'), name);
    if (reservedNames.includes(name) || isReservedName(name))
      reportProblem(subject, columnPath, `"${name}" is reserved for the rows themselves. Choose another name.`);
    if (source.formerName !== undefined && Object.hasOwn(columnSources, source.formerName))
      reportProblem(subject, joinPointer(columnPath, 'formerName'), `A column "${source.formerName}" still exists.`);
    const column = propertyOf(field.columns, name);
    if (!columnTypes.includes(column.type)) {
      reportProblem(
        subject,
        joinPointer(columnPath, 'type'),
        `A column of rows cannot be of type ${column.type}. Choose one of ${columnTypes.join(', ')}, or make records of another module that point to this one.`,
      );
      continue;
    }
    for (const key of Object.keys(source) as (keyof FieldSource)[]) {
      const remedy = columnlessKeys[key];
      if (remedy !== undefined)
        reportProblem(subject, joinPointer(columnPath, key), `A column of rows has no "${key}". ${remedy}`);
    }
    if (source.computed !== undefined) checkComputedColumn(subject, joinPointer(columnPath, 'computed'), field, column);
    if (source.required === 'form')
      reportProblem(
        subject,
        joinPointer(columnPath, 'required'),
        'A column of rows is required (true), required by a condition on other columns of its row, or not.',
      );
    if (source.readOnly !== undefined)
      reportProblem(subject, joinPointer(columnPath, 'readOnly'), 'Set "readOnly" on the field of the rows.');
    const problemCount = subject.problems.length;
    checkColumn(rows, columnPath, column);
    if (subject.problems.length === problemCount && column.requiredWhen && readsRelated(column.requiredWhen))
      reportProblem(
        subject,
        joinPointer(columnPath, 'required'),
        'A row knows its own columns, not the records that they refer to. Compare a column, or require the value by "validate" of the record.',
      );
  }
  checkInserts(subject, joinPointer(path, 'insertedRows'), field);
}

function readsRelated(condition: Condition): boolean {
  return relatedTestsIn(predicateOf(condition)).length > 0;
}

/** A column is computed from others of its row, so that it is the same while the row is typed and when it is read. */
function checkComputedColumn(subject: CheckSubject, path: string, field: FieldOf<'rows'>, column: Field): void {
  if (field.insertedRows)
    reportProblem(
      subject,
      path,
      `The rows of "${field.name}" can stand for those of other records, which have no "${column.name}". Compute a field of the record instead, or remove "insertedRows".`,
    );
  if (needsCalendar(column))
    reportProblem(
      subject,
      path,
      'A column of rows cannot be calculated with a calendar, which belongs to a company and not to a row. Compute a field of the record.',
    );
  if (computedKind(column) === 'expression') return;
  reportProblem(
    subject,
    path,
    'A column of rows is computed by an expression over other columns of its row, such as {"$multiply": ["$record.quantity", "$record.price"]}. Write one.',
  );
}

function needsCalendar(column: Field): boolean {
  if (computedKind(column) !== 'expression') return false;
  try {
    return usesCalendar(expressionOf(column.computed as object));
  } catch {
    // The check of the expression reports what is wrong with it.
    return false;
  }
}

/** Checks what a field with rows inserts: a relation among its columns, and rows with the same columns. */
function checkInserts(subject: CheckSubject, path: string, field: FieldOf<'rows'>): void {
  if (!field.insertedRows) return;
  const { by: relationName, rows } = field.insertedRows;
  const column = ownProperty(field.columns, relationName);
  if (!column || !isRelation(column))
    return reportProblem(
      subject,
      path,
      `"${relationName}" ${column ? `is of type ${column.type}` : `is no column of "${field.name}"`}. Add a column of type relation, and name it before the point.`,
    );
  if (column.required)
    reportProblem(
      subject,
      path,
      `"${relationName}" is required, so no row could have cells of its own. Make it optional.`,
    );
  if (column.onDelete !== 'restrict')
    reportProblem(
      subject,
      path,
      `With "onDelete": "${column.onDelete}" a deletion of the record would take its rows away from others. Remove it: such a deletion is refused.`,
    );
  const target = subject.registry.get(column.to);
  const insertedField = target && resolveReadableField(subject, path, rows, target);
  if (!target || !insertedField) return;
  if (!isRows(insertedField))
    return reportProblem(subject, path, `"${target.name}.${rows}" is of type ${insertedField.type}, and has no rows.`);
  if (insertedField.insertedRows)
    return reportProblem(subject, path, `"${target.name}.${rows}" inserts rows itself. Insert rows that do not.`);
  const columns = ownColumns(field);
  for (const { name, type, required: isRequired } of columns) {
    const insertedColumn = insertedField.columns[name];
    if (insertedColumn ? insertedColumn.type !== type : isRequired)
      reportProblem(
        subject,
        path,
        insertedColumn
          ? `"${name}" is of type ${type} here and of type ${insertedColumn.type} in "${target.name}.${rows}". Make them equal.`
          : `"${target.name}.${rows}" has no column "${name}", which rows need here. Add it there.`,
      );
  }
  if (!columns.some(({ name }) => Object.hasOwn(insertedField.columns, name)))
    reportProblem(subject, path, `"${target.name}.${rows}" has none of the columns of "${field.name}".`);
}
