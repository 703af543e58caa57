import { fieldTypeOf } from '../field-types';
import { isRows } from '../field-types/rows';
import { reportProblem, resolveListPath, type CheckSubject } from './check-context';
import type { Field, NamedExport } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer } from '../definitions/problems';
import { rowColumnAt } from '../field-types/row-definition';

/** Keys that say how values are written where a file has nothing but text. */
const csvKeys = ['separator', 'decimalSeparator', 'dateFormat', 'encoding', 'header'] as const;

/** Checks the named exports: their columns must lead to values that a file can have. */
export function checkExports(subject: CheckSubject): void {
  const { definition, source } = subject;
  const exports = Object.entries(definition.exports ?? {});
  if (exports.length > 0 && !definition.export)
    reportProblem(
      subject,
      '/exports',
      'Records cannot be downloaded: remove "export": false, or else the key "exports".',
    );
  for (const [name, namedExport] of exports) {
    const path = joinPointer('/exports', name);
    if (namedExport.format === 'xlsx')
      for (const key of csvKeys)
        if (source.exports?.[name]?.[key] !== undefined)
          reportProblem(
            subject,
            joinPointer(path, key),
            `A workbook has no "${key}": remove it, or set "format": "csv".`,
          );
    if (namedExport.format === 'csv' && namedExport.separator === ',' && namedExport.decimalSeparator === ',')
      reportProblem(
        subject,
        path,
        'A number with decimals would look like two values: set "separator": ";" beside "decimalSeparator": ",".',
      );
    namedExport.columns.forEach((column, index) => checkColumn(subject, joinPointer(path, 'columns', index), column));
  }
}

function checkColumn(subject: CheckSubject, path: string, { field, text, heading }: NamedExport['columns'][number]) {
  if ((field === undefined) === (text === undefined))
    return reportProblem(subject, path, 'A column has either a "field" or a "text".');
  if (field === undefined) {
    if (heading === undefined) reportProblem(subject, path, 'A text has no label: give the column a "heading".');
    for (const name of templateFields(text ?? '')) checkValue(subject, joinPointer(path, 'text'), name, false);
    return;
  }
  const fieldPath = typeof writtenColumn(subject, path) === 'string' ? path : joinPointer(path, 'field');
  checkValue(subject, fieldPath, field, true);
}

function writtenColumn({ source }: CheckSubject, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], source);
}

/** Checks that a name leads to a value that files may have; those of rows only where each row is a line. */
function checkValue(subject: CheckSubject, path: string, name: string, withRows: boolean): void {
  const ofRows = rowColumnAt(subject.definition, name);
  if (ofRows && !withRows)
    return reportProblem(
      subject,
      path,
      `"${name}" is a column of rows, of which a record has several: a text cannot name it. Make it a column of its own.`,
    );
  const fields: (Field | undefined)[] = ofRows ? [ofRows.field, ofRows.column] : [resolveListPath(subject, path, name)];
  for (const field of fields) {
    if (!field) continue;
    if (field.secret || fieldTypeOf(field).isPrivate)
      reportProblem(subject, path, `"${name}" is never in a file: use another field.`);
    else if (isRows(field) && !ofRows)
      reportProblem(
        subject,
        path,
        `"${name}" holds rows: name their columns one by one, such as "${name}.${Object.keys(field.columns)[0]}".`,
      );
  }
}
