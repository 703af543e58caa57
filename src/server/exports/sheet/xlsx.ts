import { Zip, ZipDeflate } from 'fflate';
import { AmountFormats, cellXml, styles } from './xlsx-cells';
import { dropDownSheet, dropDownXml } from './xlsx-choices';
import { workbookParts, sheetEnd, sheetStart, stylesPart } from './xlsx-parts';
import type { Sheet, SheetOptions } from './sheet';

const encoder = new TextEncoder();
/** Low compression: rows are similar, so a higher level would save few bytes for much time. */
const compressionLevel = 2;

/**
 * A workbook of one sheet as a stream: rows are written, compressed and dropped from memory. Texts are written inline,
 * so that nothing has to be collected until the end, and are always text, never a formula.
 */
export function xlsxSheet({ title, headings, timeZone, choices }: SheetOptions): Sheet {
  let readyChunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    readyChunks.push(chunk);
  });
  for (const [name, xml] of [...workbookParts(title, choices !== undefined), ...dropDownSheet(choices)])
    addFile(zip, name).push(encoder.encode(xml), true);
  const sheet = addFile(zip, 'xl/worksheets/sheet1.xml');
  let row = 0;
  const rowXml = (cells: string) => `<row r="${row}">${cells}</row>`;
  const take = () => {
    const bytes = concatBytes(readyChunks);
    readyChunks = [];
    return bytes;
  };

  const formats = { timeZone, amounts: new AmountFormats() };
  row++;
  const heads = headings.map((heading, column) => cellXml(heading, column, row, formats, styles.heading)).join('');
  sheet.push(encoder.encode(sheetStart(headings.length) + rowXml(heads)));
  return {
    rows(rows) {
      let xml = '';
      for (const cells of rows) {
        row++;
        xml += rowXml(cells.map((cell, column) => cellXml(cell, column, row, formats)).join(''));
      }
      sheet.push(encoder.encode(xml));
      return take();
    },
    end() {
      sheet.push(encoder.encode(sheetEnd(headings.length, row, dropDownXml(choices))), true);
      const [name, xml] = stylesPart(formats.amounts.codes);
      addFile(zip, name).push(encoder.encode(xml), true);
      zip.end();
      return take();
    },
  };
}

function addFile(zip: Zip, name: string): ZipDeflate {
  const file = new ZipDeflate(name, { level: compressionLevel });
  zip.add(file);
  return file;
}

function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let byteOffset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, byteOffset);
    byteOffset += chunk.length;
  }
  return bytes;
}
