import { parentPort, workerData } from 'node:worker_threads';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { createSheetWriter, type SheetJob } from './sheet-writer';
import { requireValue } from '../../../engine/values/lookups';

// Runs in a thread: reading cells, writing XML and compressing would block other requests.
const write = createSheetWriter(workerData as SheetJob);

const port = requireValue(parentPort, 'the port of this thread');

port.on('message', (records: readonly ResourceRecord[] | null) => {
  const bytes = write(records);
  port.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  if (!records) port.close();
});
