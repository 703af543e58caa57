import type { SheetRow } from '../../../src/engine/imports/join-rows';
import { openSheet } from '../../../src/server/imports/reading/open-sheet';
import type { SheetFile } from '../../../src/server/imports/reading/sheet-file';

/** Reads a whole file, page by page; its text is bounded. Throws what `openSheet` throws. */
export async function readFile(bytes: Uint8Array): Promise<SheetFile> {
  const sheet = await openSheet(bytes);
  try {
    const rows: SheetRow[] = [];
    const formulas: string[] = [];
    for await (const page of sheet.pages()) {
      rows.push(...page.rows);
      formulas.push(...page.formulas);
    }
    const { kind, headings, headingRow, mergedColumns, lineBreakColumns } = sheet;
    return {
      kind,
      headings,
      headingRow,
      mergedColumns,
      rows,
      formulas,
      lineBreakColumns,
      sheet: sheet.sheet,
      sheets: sheet.sheets,
    };
  } finally {
    await sheet.close();
  }
}
