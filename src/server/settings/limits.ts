import type { Environment } from './read-value';
import { readCount, readSize } from './read-size';

/** Limits per user or company; 0: no limit. */
export interface Limits {
  /** API requests per user and minute, on one server. */
  readonly callsPerMinute: number;
  /** Open event streams per user, on one server. */
  readonly streamsPerPerson: number;
  /** Bytes of stored files. */
  readonly storagePerCompany: number;
  readonly storagePerPerson: number;
  /** Seconds after which a client that neither sends nor reads is disconnected. */
  readonly stalledTimeout: number;
}

const gigabyte = 1024 ** 3;

/** Reads the limits. Throws a SettingsError. */
export function readLimits(env: Environment): Limits {
  return {
    callsPerMinute: readCount(env, 'CALLS_PER_MINUTE', 0) ?? 0,
    streamsPerPerson: readCount(env, 'STREAMS_PER_PERSON', 0) ?? 50,
    storagePerCompany: readSize(env, 'STORAGE_PER_COMPANY') ?? 10 * gigabyte,
    storagePerPerson: readSize(env, 'STORAGE_PER_PERSON') ?? 2 * gigabyte,
    stalledTimeout: readCount(env, 'STALLED_AFTER', 1) ?? 30,
  };
}
