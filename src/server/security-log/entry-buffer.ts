import type { Logger } from 'pino';
import type { Database } from '../database/database';
import { insertLogEntries, type LogEntry } from './log-entries';

/** How long entries are collected before they are stored, in milliseconds. */
const flushDelay = 500;
/** How long repetitions are counted in one entry, in milliseconds. */
const countWindow = 60_000;
/**
 * How many different entries may be buffered or counted at a time; beyond that, only their number by event is recorded.
 */
const maxKeys = 1_000;

interface CountedEntry {
  /** The latest repetition: its time and origin are stored. */
  line: LogEntry;
  /** How many have not been stored yet. */
  unstored: number;
  readonly countedUntil: number;
}

/**
 * Buffers entries and stores them in batches. Of entries with the same key, the first is stored at once, and the others
 * of the same minute as one entry with their number: at most two entries per key and minute reach the database, for a
 * limited number of keys.
 */
class EntryBuffer {
  private readyEntries: LogEntry[] = [];
  private readonly countedEntries = new Map<string, CountedEntry>();
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();

  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly log: Logger | undefined,
  ) {}

  add(line: LogEntry, key = repetitionKey(line)): void {
    const now = Date.now();
    this.collectExpired(now);
    const countedEntry = this.countedEntries.get(key);
    if (countedEntry) {
      countedEntry.line = line;
      countedEntry.unstored++;
    } else if (this.countedEntries.size < maxKeys) {
      this.countedEntries.set(key, { line, unstored: 0, countedUntil: now + countWindow });
      this.readyEntries.push(line);
    } else {
      this.overflow(line, now);
    }
    this.schedule();
  }

  /** Stores finished entries; running counts continue. */
  async flush(): Promise<void> {
    this.store();
    await this.storing;
  }

  /** Stores everything, running counts included, and stops buffering. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.collectExpired(Number.POSITIVE_INFINITY);
    await this.flush();
  }

  private overflow(line: LogEntry, now: number): void {
    const key = `overflow ${line.event}`;
    const logEntry: LogEntry = {
      ...line,
      user_id: null,
      viewed_id: null,
      site_id: null,
      resource: null,
      record_id: null,
      subject: null,
      detail: { overflow: true },
      address: null,
      agent: null,
      request_id: null,
    };
    const countedEntry = this.countedEntries.get(key);
    if (countedEntry) {
      countedEntry.line = logEntry;
      countedEntry.unstored++;
    } else this.countedEntries.set(key, { line: logEntry, unstored: 1, countedUntil: now + countWindow });
  }

  /** Moves expired counts to the entries to be stored. */
  private collectExpired(now: number): void {
    for (const [key, { line, unstored, countedUntil: endTime }] of this.countedEntries) {
      // A map keeps insertion order: the first key that is still counting ends the loop.
      if (endTime > now) break;
      this.countedEntries.delete(key);
      if (unstored > 0) this.readyEntries.push({ ...line, times: unstored });
    }
  }

  private schedule(): void {
    if (this.isClosed || this.timer || (this.readyEntries.length === 0 && this.countedEntries.size === 0)) return;
    const first = this.countedEntries.values().next().value;
    const wait =
      this.readyEntries.length > 0 ? flushDelay : Math.max(flushDelay, (first?.countedUntil ?? 0) - Date.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.collectExpired(Date.now());
      this.store();
      this.schedule();
    }, wait);
    this.timer.unref();
  }

  private store(): void {
    const lines = this.readyEntries;
    if (lines.length === 0) return;
    this.readyEntries = [];
    this.storing = this.storing
      .then(() => insertLogEntries(this.database, lines))
      .catch((error: Error) =>
        this.log?.warn(`${lines.length} entries of the security log could not be stored: ${error.message}`),
      );
  }
}

/** The same event by the same user from the same address on the same object is a repetition. */
function repetitionKey({ event, user_id, address, resource, record_id }: LogEntry): string {
  return [event, user_id, address, resource, record_id].join(' ');
}

const buffers = new WeakMap<Database, EntryBuffer>();

/** The buffer of a database; one per process. */
export function entryBufferOf(database: Database, log?: Logger): EntryBuffer {
  let lines = buffers.get(database);
  if (!lines) buffers.set(database, (lines = new EntryBuffer(database, log)));
  return lines;
}
