import { Unavailable } from '../errors/errors';

/** Limits of concurrent calls. */
export interface AdmissionLimits {
  /** Calls that run at once. */
  readonly running: number;
  /** How many of these one lane may use at any time, and how many a lane above that leaves free for others. */
  readonly perLane: number;
  readonly spare: number;
  /** Concurrent changes of one record. */
  readonly perRecord: number;
  /** Extra slots for the sign-in and session lanes only; sign-in leaves one of them to the other. */
  readonly reserved: number;
  /** Calls that wait, in all and per lane. */
  readonly waiting: number;
  readonly waitingPerLane: number;
  /** Waiting changes of one record, within its lane. */
  readonly waitingPerRecord: number;
  /**
   * How long a call waits at most, in milliseconds, and how long a change waits: it is not rejected as soon as a read.
   */
  readonly readTimeout: number;
  readonly changeTimeout: number;
}

export interface AdmissionCounts {
  readonly running: number;
  readonly waiting: number;
  /** Since the start: calls rejected at once, and calls that timed out while waiting. */
  readonly rejected: number;
  readonly expired: number;
}

/** What the admission of a call depends on. */
export interface AdmissionRequest {
  readonly lane: string;
  /** Whether the call changes data. */
  readonly isChange?: boolean;
  /** The record that it changes, if any. */
  readonly record?: string;
}

/** Limits concurrency: a few calls run at a time, a bounded number waits, all others are rejected at once. */
export interface Admission {
  /** Whether a call would be rejected at once. Counts it as rejected if so. */
  rejects(ask: AdmissionRequest): boolean;
  /**
   * Resolves when the call may start, with a function to call at its end. Throws Unavailable if it waited too long or
   * too many are waiting.
   */
  enter(ask: AdmissionRequest): Promise<() => void>;
  counts(): AdmissionCounts;
}

interface WaitingCall extends AdmissionRequest {
  readonly until: number;
  begin(): void;
  fail(): void;
}

/**
 * The lanes with extra slots: what is needed to sign in, and what a signed-in user needs on every screen. They are
 * separate so that a rush of sign-ins does not block signed-in users.
 */
export const signInLane = 'sign-in';
export const sessionLane = 'session';

export const busyMessage = 'The server is busy at the moment. Nothing was changed; please try again in a moment.';
/** Seconds. */
export const busyRetryAfter = 2;

/** Counts by name. */
class Counts {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string, change: 1 | -1): void {
    const count = this.of(name) + change;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}

/**
 * Creates an admission. Calls are grouped by lanes (one per resource), so that calls waiting for the same table, or
 * many users of one screen, leave slots to all others. Only a few changes of the same record run at once, since the
 * others would hold a slot and a connection while waiting for its lock. Waiting calls start in their order of arrival,
 * except those whose lane is full or whose record is being changed.
 */
export function createAdmission(limits: AdmissionLimits): Admission {
  const running = new Counts();
  const waiting = new Counts();
  const changing = new Counts();
  const waitingFor = new Counts();
  let queue: WaitingCall[] = [];
  let [total, refused, expired] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;

  const reserved = new Map([
    [sessionLane, limits.reserved],
    [signInLane, limits.reserved - 1],
  ]);
  const hasSlot = ({ lane, record }: AdmissionRequest) =>
    (record === undefined || changing.of(record) < limits.perRecord) &&
    (running.of(lane) < limits.perLane || total < limits.running - limits.spare) &&
    total < limits.running + (reserved.get(lane) ?? 0);
  const isFull = ({ lane, record }: AdmissionRequest) =>
    waiting.of(lane) >= limits.waitingPerLane ||
    (record !== undefined && waitingFor.of(record) >= limits.waitingPerRecord) ||
    (queue.length >= limits.waiting && !reserved.has(lane));
  const countWaiting = ({ lane, record }: AdmissionRequest, change: 1 | -1) => {
    waiting.add(lane, change);
    if (record !== undefined) waitingFor.add(record, change);
  };

  function begin({ lane, record }: AdmissionRequest): () => void {
    running.add(lane, 1);
    if (record !== undefined) changing.add(record, 1);
    total++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      running.add(lane, -1);
      if (record !== undefined) changing.add(record, -1);
      total--;
      next();
    };
  }

  function next(): void {
    for (let index = 0; index < queue.length;) {
      const first = queue[index]!;
      if (!hasSlot(first)) index++;
      else {
        queue.splice(index, 1);
        countWaiting(first, -1);
        first.begin();
      }
      if (total >= limits.running + limits.reserved) return;
    }
  }

  function expire(): void {
    timer = undefined;
    const now = performance.now();
    const over = queue.filter(({ until }) => until <= now);
    queue = queue.filter(({ until }) => until > now);
    expired += over.length;
    for (const one of over) {
      countWaiting(one, -1);
      one.fail();
    }
    watch();
  }

  function watch(): void {
    clearTimeout(timer);
    if (queue.length === 0) return;
    const first = queue.reduce((least, { until }) => Math.min(least, until), Infinity);
    timer = setTimeout(expire, Math.max(1, first - performance.now())).unref();
  }

  return {
    rejects(ask) {
      const isRejected = !hasSlot(ask) && isFull(ask);
      if (isRejected) refused++;
      return isRejected;
    },
    async enter(ask) {
      if (hasSlot(ask)) return begin(ask);
      if (isFull(ask)) {
        refused++;
        throw new Unavailable(busyMessage, 'UNAVAILABLE', busyRetryAfter);
      }
      return new Promise((done, fail) => {
        queue.push({
          ...ask,
          until: performance.now() + (ask.isChange ? limits.changeTimeout : limits.readTimeout),
          begin: () => done(begin(ask)),
          fail: () => fail(new Unavailable(busyMessage, 'UNAVAILABLE', busyRetryAfter)),
        });
        countWaiting(ask, 1);
        watch();
      });
    },
    counts: () => ({ running: total, waiting: queue.length, rejected: refused, expired }),
  };
}

/** The limits for a pool with so many connections: a few are left for sign-in and background work. */
export function limitsForPool(connections: number): AdmissionLimits {
  const running = Math.max(2, connections - 6);
  return {
    running,
    perLane: Math.max(1, Math.ceil(running / 2)),
    spare: Math.max(1, Math.ceil(running / 4)),
    reserved: 3,
    perRecord: Math.max(1, Math.floor(running / 4)),
    // Waiting calls are served within their patience: a shorter queue would reject calls that could be served in time.
    waiting: running * 24,
    waitingPerLane: running * 16,
    waitingPerRecord: running * 4,
    readTimeout: 2_000,
    changeTimeout: 6_000,
  };
}
