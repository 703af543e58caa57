import type { RaRecord } from 'react-admin';
import { neverLeft, sendUntilAnswered } from '../../session/connection';

export interface Failure {
  record: RaRecord;
  message: string;
}

export interface BulkResult {
  done: number;
  failures: Failure[];
  /** Not processed, because it was stopped. */
  left: number;
}

const atOnce = 3;

/** Callbacks while records are processed. */
export interface BulkListener {
  /** How many are processed. */
  onProgress: (through: number) => void;
  /** There is no connection: pending requests are sent again when it is back. */
  onLost: () => void;
}

/**
 * Runs a task for each record, three at a time, continuing after failures. Requests without a response are sent again
 * under their key when the connection is back. After `signal` aborts, sent requests finish and the rest is left.
 */
export async function runBulk(
  records: readonly RaRecord[],
  task: (record: RaRecord) => Promise<unknown>,
  { onProgress, onLost }: BulkListener,
  signal: AbortSignal,
): Promise<BulkResult> {
  const queue = [...records];
  const failures: Failure[] = [];
  let done = 0;
  const work = async () => {
    for (let record = queue.shift(); record && !signal.aborted; record = queue.shift()) {
      try {
        await sendUntilAnswered(() => task(record), onLost, signal);
        done++;
      } catch (error) {
        if (signal.aborted && neverLeft(error)) continue;
        failures.push({ record, message: (error as Error).message });
      }
      onProgress(done + failures.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failures, left: records.length - done - failures.length };
}
