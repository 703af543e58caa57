import { parentPort, workerData } from 'node:worker_threads';
import { cellReader } from '../../../engine/exports/cells';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { createRegistry } from '../../../engine/definitions/registry';
import { csvSheet } from './csv';
import type { SheetOptions } from './sheet';
import { xlsxSheet } from './xlsx';

/** What the thread is started with: how to read cells out of records, and how the sheet is written. */
export interface SheetJob extends SheetOptions {
  readonly format: 'xlsx' | 'csv';
  readonly definitions: readonly Definition[];
  readonly name: string;
  readonly paths: readonly string[];
}

// A thread of its own: reading cells, writing XML and compressing would hold up every other request.
const job = workerData as SheetJob;
const registry = createRegistry(job.definitions);
const definition = registry.need(job.name);
const readers = job.paths.map((path) => cellReader(path, definition, registry));
const sheet = job.format === 'csv' ? csvSheet(job) : xlsxSheet(job);

parentPort!.on('message', (records: readonly ResourceRecord[] | null) => {
  const rows = records?.map((record) => readers.map((read) => read(record)));
  const bytes = rows ? sheet.rows(rows) : sheet.end();
  parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  if (!rows) parentPort!.close();
});
