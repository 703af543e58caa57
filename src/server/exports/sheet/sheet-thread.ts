import type { ResourceRecord } from '../../../engine/definitions/definition';
import { openThreadChannel } from '../../threads/thread-channel';
import { startThread } from '../../threads/start-thread';
import type { SheetJob } from './worker';

/** A sheet that is written in a thread. Its methods throw ThreadEnded if that fails or takes too long. */
export interface SheetThread {
  /** Returns the bytes that are ready after these records; one call at a time. */
  write(records: readonly ResourceRecord[]): Promise<Uint8Array>;
  /** Returns the last bytes. */
  end(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Memory limit of a thread in megabytes. */
const maxMemory = 128;
/** Timeout for a page of records in milliseconds. */
const pageTimeout = 60_000;

/** Starts the thread. */
export function openSheetThread(job: SheetJob): SheetThread {
  const thread = openThreadChannel(
    startThread('sheet-worker', new URL('./worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory },
    }),
    pageTimeout,
  );
  return {
    write: (records) => thread.request(records),
    end: () => thread.request(null),
    close: () => thread.close(),
  };
}
