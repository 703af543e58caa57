import type { ResourceRecord } from '../../../engine/definitions/definition';
import { askThread } from '../../threads/ask-thread';
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
const memory = 128;
/** Timeout for a page of records in milliseconds. */
const patience = 60_000;

/** Starts the thread. */
export function openSheetThread(job: SheetJob): SheetThread {
  const thread = askThread(
    startThread('sheet-worker', new URL('./worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    }),
    patience,
  );
  return {
    write: (records) => thread.ask(records),
    end: () => thread.ask(null),
    close: () => thread.close(),
  };
}
