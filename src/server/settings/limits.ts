import type { Environment } from './read-value';
import { readCount, readSize } from './read-size';

/** What one person or company may take of the server; 0 stands for no limit. */
export interface Limits {
  /** Calls of the API by one person in a minute, on one server. */
  readonly callsPerMinute: number;
  /** Streams of live events that one person may hold open, on one server. */
  readonly streamsPerPerson: number;
  /** Bytes of stored files. */
  readonly storagePerCompany: number;
  readonly storagePerPerson: number;
  /** Seconds after which somebody who neither sends nor reads any further is cut off. */
  readonly stalledAfter: number;
}

const gigabyte = 1024 ** 3;

/** Reads the limits. Throws a SettingsError. */
export function readLimits(env: Environment): Limits {
  return {
    callsPerMinute: readCount(env, 'CALLS_PER_MINUTE', 0) ?? 60_000,
    streamsPerPerson: readCount(env, 'STREAMS_PER_PERSON', 0) ?? 50,
    storagePerCompany: readSize(env, 'STORAGE_PER_COMPANY') ?? 10 * gigabyte,
    storagePerPerson: readSize(env, 'STORAGE_PER_PERSON') ?? 2 * gigabyte,
    stalledAfter: readCount(env, 'STALLED_AFTER', 1) ?? 30,
  };
}
