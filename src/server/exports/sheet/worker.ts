import { parentPort, workerData } from 'node:worker_threads';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { createSheetWriter, type SheetJob } from './sheet-writer';

// Runs in a thread: reading cells, writing XML and compressing would block other requests.
const write = createSheetWriter(workerData as SheetJob);

parentPort!.on('message', (records: readonly ResourceRecord[] | null) => {
  const bytes = write(records);
  parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  if (!records) parentPort!.close();
});
