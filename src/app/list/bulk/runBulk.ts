import type { RaRecord } from 'react-admin';

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

/**
 * Does something to each record, three at a time, and goes on after a failure. `onProgress` hears how many are through.
 * When `signal` is aborted, what has begun still ends and the rest is left.
 */
export async function runBulk(
  records: readonly RaRecord[],
  task: (record: RaRecord) => Promise<unknown>,
  onProgress: (through: number) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  const queue = [...records];
  const failures: Failure[] = [];
  let done = 0;
  const work = async () => {
    for (let record = queue.shift(); record && !signal.aborted; record = queue.shift()) {
      try {
        await task(record);
        done++;
      } catch (error) {
        failures.push({ record, message: (error as Error).message });
      }
      onProgress(done + failures.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failures, left: records.length - done - failures.length };
}
