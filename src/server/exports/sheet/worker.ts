import { parentPort, workerData } from 'node:worker_threads';
import { cellReader } from '../../../engine/exports/cells';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { createRegistry } from '../../../engine/definitions/registry';
import { csvSheet } from './csv';
import type { SheetOptions } from './sheet';
import { xlsxSheet } from './xlsx';

/** The input of the thread: how to read cells from records, and how to write the sheet. */
export interface SheetJob extends SheetOptions {
  readonly format: 'xlsx' | 'csv';
  readonly definitions: readonly Definition[];
  readonly name: string;
  readonly paths: readonly string[];
}

// Runs in a thread: reading cells, writing XML and compressing would block other requests.
const job = workerData as SheetJob;
const registry = createRegistry(job.definitions);
const definition = registry.getOrThrow(job.name);
const readers = job.paths.map((path) => cellReader(path, definition, registry));
const sheet = job.format === 'csv' ? csvSheet(job) : xlsxSheet(job);

parentPort!.on('message', (records: readonly ResourceRecord[] | null) => {
  const rows = records?.map((record) => readers.map((read) => read(record)));
  const bytes = rows ? sheet.rows(rows) : sheet.end();
  parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  if (!rows) parentPort!.close();
});
