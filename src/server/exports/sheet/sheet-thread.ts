import type { ResourceRecord } from '../../../engine/definitions/definition';
import { startThread } from '../../threads/start-thread';
import type { SheetJob } from './worker';

/** A sheet that is written in a thread of its own. */
export interface SheetThread {
  /** Answers the bytes that are ready after these records; one call at a time. */
  write(records: readonly ResourceRecord[]): Promise<Uint8Array>;
  /** Answers the last bytes. */
  end(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Megabytes of records, XML and compression that a thread may hold. */
const memory = 128;

/** Starts the thread. */
export function openSheetThread(job: SheetJob): SheetThread {
  const worker = startThread('sheet-worker', new URL('./worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  let fault: Error | undefined;
  worker.on('error', (error) => (fault = error));
  // Whoever waits hears of it below.
  worker.on('messageerror', (error) => (fault = error));

  const ask = (message: readonly ResourceRecord[] | null): Promise<Uint8Array> =>
    new Promise((done, fail) => {
      const answered = (bytes: Uint8Array) => {
        worker.off('exit', ended);
        done(bytes);
      };
      const ended = () => {
        worker.off('message', answered);
        fail(fault ?? new Error('The thread that writes spreadsheets ended.'));
      };
      if (fault) return ended();
      worker.once('message', answered);
      worker.once('exit', ended);
      worker.postMessage(message);
    });

  return {
    write: ask,
    end: () => ask(null),
    close: async () => void (await worker.terminate()),
  };
}
