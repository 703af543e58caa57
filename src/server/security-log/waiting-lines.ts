import type { Logger } from 'pino';
import type { Database } from '../database/database';
import { insertLines, type Line } from './lines';

/** How long entries are collected before they are stored, in milliseconds. */
const gather = 500;
/** How long repetitions are counted in one entry, in milliseconds. */
const window = 60_000;
/**
 * How many different entries may be buffered or counted at a time; beyond that, only their number by event is recorded.
 */
const most = 1_000;

interface Counted {
  /** The latest repetition: its time and origin are stored. */
  line: Line;
  /** How many have not been stored yet. */
  waiting: number;
  readonly until: number;
}

/**
 * Buffers entries and stores them in batches. Of entries with the same key, the first is stored at once, and the others
 * of the same minute as one entry with their number: at most two entries per key and minute reach the database, for a
 * limited number of keys.
 */
class WaitingLines {
  private ready: Line[] = [];
  private readonly counted = new Map<string, Counted>();
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();

  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly log: Logger | undefined,
  ) {}

  add(line: Line, key = keyOf(line)): void {
    const now = Date.now();
    this.settle(now);
    const known = this.counted.get(key);
    if (known) {
      known.line = line;
      known.waiting++;
    } else if (this.counted.size < most) {
      this.counted.set(key, { line, waiting: 0, until: now + window });
      this.ready.push(line);
    } else {
      this.overflow(line, now);
    }
    this.plan();
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
    this.settle(Number.POSITIVE_INFINITY);
    await this.flush();
  }

  private overflow(line: Line, now: number): void {
    const key = `overflow ${line.event}`;
    const bare: Line = {
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
    const known = this.counted.get(key);
    if (known) {
      known.line = bare;
      known.waiting++;
    } else this.counted.set(key, { line: bare, waiting: 1, until: now + window });
  }

  /** Moves expired counts to the entries to be stored. */
  private settle(now: number): void {
    for (const [key, { line, waiting, until }] of this.counted) {
      // A map keeps insertion order: the first key that is still counting ends the loop.
      if (until > now) break;
      this.counted.delete(key);
      if (waiting > 0) this.ready.push({ ...line, times: waiting });
    }
  }

  private plan(): void {
    if (this.isClosed || this.timer || (this.ready.length === 0 && this.counted.size === 0)) return;
    const first = this.counted.values().next().value;
    const wait = this.ready.length > 0 ? gather : Math.max(gather, (first?.until ?? 0) - Date.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.settle(Date.now());
      this.store();
      this.plan();
    }, wait);
    this.timer.unref();
  }

  private store(): void {
    const lines = this.ready;
    if (lines.length === 0) return;
    this.ready = [];
    this.storing = this.storing
      .then(() => insertLines(this.database, lines))
      .catch((error: Error) =>
        this.log?.warn(`${lines.length} entries of the security log could not be stored: ${error.message}`),
      );
  }
}

/** The same event by the same user from the same address on the same object is a repetition. */
function keyOf({ event, user_id, address, resource, record_id }: Line): string {
  return [event, user_id, address, resource, record_id].join(' ');
}

const waiting = new WeakMap<Database, WaitingLines>();

/** The buffer of a database; one per process. */
export function waitingLinesOf(database: Database, log?: Logger): WaitingLines {
  let lines = waiting.get(database);
  if (!lines) waiting.set(database, (lines = new WaitingLines(database, log)));
  return lines;
}
