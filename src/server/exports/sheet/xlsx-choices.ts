import { AmountFormats, cellXml, columnName } from './xlsx-cells';
import { choicesSheetName, sheetStart } from './xlsx-parts';
import type { SheetOptions } from './sheet';

type Choices = SheetOptions['choices'];

/** The last row with drop-downs. */
const lastRow = 50_001;

/** The hidden sheet with the values of drop-downs, one column for each; empty without choices. */
export function dropDownSheet(choices: Choices): [name: string, xml: string][] {
  if (!choices) return [];
  const formats = { timeZone: 'UTC', amounts: new AmountFormats() };
  const maxChoices = Math.max(...choices.map((values) => values?.length ?? 0), 0);
  const rows = Array.from({ length: maxChoices }, (_, index) => {
    const cells = choices
      .map((values, column) => cellXml(values?.[index] ?? null, column, index + 1, formats))
      .join('');
    return `<row r="${index + 1}">${cells}</row>`;
  });
  return [
    ['xl/worksheets/sheet2.xml', `${sheetStart(Math.max(choices.length, 1))}${rows.join('')}</sheetData></worksheet>`],
  ];
}

/** The drop-downs of a sheet, which follow its rows. */
export function dropDownXml(choices: Choices): string {
  const lists = (choices ?? []).flatMap((values, index) => {
    if (!values || values.length === 0) return [];
    const column = columnName(index);
    const source = `${choicesSheetName}!$${column}$1:$${column}$${values.length}`;
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${column}2:${column}${lastRow}"><formula1>${source}</formula1></dataValidation>`,
    ];
  });
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}
