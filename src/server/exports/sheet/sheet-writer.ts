import { lineReader } from '../../../engine/exports/cells';
import type { CellSource } from '../../../engine/exports/columns';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { createRegistry } from '../../../engine/registry/registry';
import { csvSheet, writeCell } from './csv';
import type { SheetOptions } from './sheet';
import { xlsxSheet } from './xlsx';

/** How to read cells from records, and how to write the sheet. */
export interface SheetJob extends SheetOptions {
  readonly format: 'xlsx' | 'csv';
  readonly definitions: readonly Definition[];
  readonly name: string;
  readonly columns: readonly CellSource[];
}

/** How values are written within the texts of a workbook. */
const withinWorkbook: NonNullable<SheetJob['csv']> = {
  separator: ',',
  decimalSeparator: '.',
  dateFormat: 'YYYY-MM-DD',
  encoding: 'utf-8',
  header: true,
};

/** Returns a function that writes records and returns the bytes that are ready; null: the last ones. */
export function createSheetWriter(job: SheetJob): (records: readonly ResourceRecord[] | null) => Uint8Array {
  const registry = createRegistry(job.definitions);
  const definition = registry.getOrThrow(job.name);
  const linesOf = lineReader(job.columns, definition, registry, (cell) =>
    String(writeCell(cell, { timeZone: job.timeZone, csv: job.csv ?? withinWorkbook }) ?? ''),
  );
  const sheet = job.format === 'csv' ? csvSheet(job) : xlsxSheet(job);
  return (records) => (records ? sheet.rows(records.flatMap(linesOf)) : sheet.end());
}
