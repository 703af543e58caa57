import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { errorsHeading, type MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow } from '../../engine/imports/join-rows';
import { xlsxSheet } from '../exports/sheet/xlsx';
import type { Files, StoredFile } from '../files/files';
import { itemAt } from '../../engine/values/lookups';

/** Rows that are written before yielding to other work. */
const rowsPerTurn = 500;

/** A rejected record with its errors, each at a row of the file. */
export interface FailedRow {
  readonly row: JoinedRow;
  readonly errors: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Creates a file with the rows that were not imported, as sent, and their errors in one more column, to fix and import
 * again.
 */
export async function createFailedFile(
  title: string,
  columns: readonly MatchedColumn[],
  failed: readonly FailedRow[],
): Promise<Buffer> {
  const columnIndexes = columns.flatMap(({ by: matchReason }, index) => (matchReason === 'errors' ? [] : [index]));
  const headings = [...columnIndexes.map((index) => itemAt(columns, index).heading), errorsHeading];
  const sheet = xlsxSheet({ title, headings, timeZone: 'UTC' });
  const lines = failed.flatMap(({ row, errors }) =>
    row.rows.map(({ number, cells }) => {
      const messages = errors.flatMap((error) => (error.row === number ? [error.message] : []));
      return [...columnIndexes.map((column) => cells[column] || null), messages.join(' ') || null];
    }),
  );
  const chunks: Uint8Array[] = [];
  for (let offset = 0; offset < lines.length; offset += rowsPerTurn) {
    chunks.push(sheet.rows(lines.slice(offset, offset + rowsPerTurn)));
    await setImmediate();
  }
  return Buffer.concat([...chunks, sheet.end()]);
}

/** Stores a generated file, which does not count towards any quota. */
export async function storeGeneratedFile(
  files: Files,
  name: string,
  bytes: Uint8Array,
  type: string,
  owner: { resource: string; field: string },
): Promise<StoredFile> {
  const upload = await files.temporary.receive(name, Readable.from([bytes]), bytes.length);
  try {
    return await files.store(upload, type, owner);
  } finally {
    await upload.deleteFile();
  }
}
