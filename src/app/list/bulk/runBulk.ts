import type { RaRecord } from 'react-admin';
import { neverLeft, sendUntilAnswered } from '../../session/connection';

export interface Failure {
  record: RaRecord;
  message: string;
}

export interface BulkResult {
  done: number;
  failures: Failure[];
  /** Left alone because it was stopped. */
  left: number;
}

const atOnce = 3;

/** What is called while records are worked on. */
export interface BulkListener {
  /** How many are through. */
  onProgress: (through: number) => void;
  /** There is no connection: what was sent is sent again when there is one. */
  onLost: () => void;
}

/**
 * Does something to each record, three at a time, and goes on after a failure. What gets no answer is sent again, under
 * its key, once there is a connection. When `signal` is aborted, what has been sent still ends and the rest is left.
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
