import { columnName, fixedStyles } from './xlsx-cells';
import { escapeXml } from './xml-text';

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The sheet with the values of drop-downs. */
export const choicesSheetName = 'Choices';

/** The files of a workbook besides its sheet and its styles, by name; with a second, hidden sheet if there are choices. */
export function workbookParts(title: string, choices = false): [name: string, xml: string][] {
  return [
    [
      '[Content_Types].xml',
      `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/>${choices ? `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${content}.worksheet+xml"/>` : ''}<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${xmlDeclaration}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${xmlDeclaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escapeXml(sheetName(title))}" sheetId="1" r:id="rId1"/>${choices ? `<sheet name="${choicesSheetName}" sheetId="2" state="hidden" r:id="rId3"/>` : ''}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xmlDeclaration}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/>${choices ? `<Relationship Id="rId3" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/>` : ''}</Relationships>`,
    ],
  ];
}

const firstAmountFormat = 168;

/** The file of the cell formats: those of `styles` in their order, then those of amounts by their codes. */
export function stylesPart(amounts: readonly string[]): [name: string, xml: string] {
  const formats = amounts.map(
    (code, index) => `<numFmt numFmtId="${firstAmountFormat + index}" formatCode="${code}"/>`,
  );
  const cells = amounts.map(
    (_, index) =>
      `<xf numFmtId="${firstAmountFormat + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return [
    'xl/styles.xml',
    `${xmlDeclaration}<styleSheet xmlns="${main}"><numFmts count="${4 + amounts.length}"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="166" formatCode="hh:mm"/><numFmt numFmtId="167" formatCode="0.00\\ &quot;h&quot;"/>${formats.join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${fixedStyles + amounts.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${cells.join('')}</cellXfs></styleSheet>`,
  ];
}

/** The sheet up to its first row, with frozen headings. */
export function sheetStart(columns: number): string {
  return `${xmlDeclaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns}" width="22" customWidth="1"/></cols><sheetData>`;
}

/** The end of the sheet, with filters on all columns. */
export function sheetEnd(columns: number, rows: number, dropDowns = ''): string {
  return `</sheetData><autoFilter ref="A1:${columnName(columns - 1)}${rows}"/>${dropDowns}</worksheet>`;
}

/** Spreadsheets reject longer names and these characters. */
function sheetName(title: string): string {
  return (
    title
      .replace(/[[\]:*?/\\']/g, ' ')
      .slice(0, 31)
      .trim() || 'Sheet'
  );
}
