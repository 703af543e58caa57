import type { RaRecord } from 'react-admin';
import type { RequestDefinition } from '../../../engine/definitions/definition';
import { withFieldErrors } from '../../session/apiError';
import { wasNotSent, sendWithRetry } from '../../session/connection';

/** A change of several records: some of their fields are set, they are copied or deleted, or a request is made on each of them. */
export type BulkChange = 'delete' | 'edit' | 'copy' | RequestDefinition;

export interface BulkFailure {
  record: RaRecord;
  message: string;
}

export interface BulkResult {
  doneCount: number;
  failures: BulkFailure[];
  /** Not processed, because it was stopped. */
  left: number;
}

const concurrency = 3;

/** Callbacks while records are processed. */
export interface BulkCallbacks {
  /** How many are processed. */
  onProgress: (through: number) => void;
  /** There is no connection: pending requests are sent again when it is back. */
  onLost: () => void;
}

/**
 * Runs a task for each record, three at a time, continuing after failures. Requests without a response are sent again
 * under their key when the connection is back. After `signal` aborts, sent requests finish and the rest is left.
 *
 * @example
 * const { doneCount, failures } = await runBulk(selected, (record) => archive(record.id), { onProgress, onLost }, signal);
 */
export async function runBulk(
  records: readonly RaRecord[],
  task: (record: RaRecord) => Promise<unknown>,
  { onProgress, onLost }: BulkCallbacks,
  signal: AbortSignal,
): Promise<BulkResult> {
  const queue = [...records];
  const failures: BulkFailure[] = [];
  let doneCount = 0;
  const work = async () => {
    for (let record = queue.shift(); record && !signal.aborted; record = queue.shift()) {
      try {
        await sendWithRetry(() => task(record), onLost, signal);
        doneCount++;
      } catch (error) {
        if (signal.aborted && wasNotSent(error)) continue;
        failures.push({ record, message: withFieldErrors(error as Error).message });
      }
      onProgress(doneCount + failures.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { doneCount, failures, left: records.length - doneCount - failures.length };
}
