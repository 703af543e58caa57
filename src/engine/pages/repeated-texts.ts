import type { Field, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { insertedRows, isRows, rowsIn } from '../field-types/rows';
import { isEmpty } from '../values/is-empty';

/**
 * The fields that say something: those with a value, without texts of which every line is the title, a cell of rows, or a
 * line of a text before.
 *
 * @example tellingFields([steps, expected], { steps: [{ action: 'Pay', expected: 'Paid' }], expected: 'Paid.' }, 'Pay'); // [steps]
 */
export function tellingFields(fields: readonly Field[], record: ResourceRecord, title: string): Field[] {
  const filledFields = fields.filter((field) => !isEmpty(record[field.name]));
  const cells = filledFields.filter(isRows).flatMap(({ name }) => cellTexts(rowsIn(record[name])));
  const saidLines = new Set([title, ...cells].flatMap(linesOf));
  return filledFields.filter((field) => {
    const { holds: valueKind, toPlainText } = fieldTypeOf(field);
    const value = record[field.name];
    if (valueKind !== 'text' || typeof value !== 'string') return true;
    const lines = linesOf(toPlainText ? toPlainText(value) : value);
    if (lines.length > 0 && lines.every((line) => saidLines.has(line))) return false;
    for (const line of lines) saidLines.add(line);
    return true;
  });
}

function cellTexts(rows: readonly ResourceRecord[]): string[] {
  return rows.flatMap((row) => [
    ...Object.values(row).filter((value) => typeof value === 'string'),
    ...cellTexts(rowsIn(row[insertedRows])),
  ]);
}

/** The lines of a text in plain words: without numbers before them, marks and case, and without what ends a sentence. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\d+[.)]|[-*•])\s+/, '')
        .replaceAll(/[*_`~]+/g, '')
        .replaceAll(/\s+/g, ' ')
        .replace(/[.,;:!]+$/, '')
        .trim()
        .toLowerCase(),
    )
    .filter((line) => line !== '');
}
