import { LRUCache } from 'lru-cache';
import { Unavailable } from '../errors/errors';
import { createTaskStarter } from './turns';
import { itemAt } from '../../engine/values/lookups';

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
  /** Calls that wait at most, in all and per lane. */
  readonly waiting: number;
  readonly waitingPerLane: number;
  /** Waiting changes of one record, within its lane. */
  readonly waitingPerRecord: number;
  /**
   * Milliseconds in which waiting calls should start: only as many wait as started lately in such a time, since those
   * behind them would be rejected after a useless wait.
   */
  readonly targetWait: number;
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

/** The facts of a call that its admission depends on. */
export interface AdmissionRequest {
  readonly lane: string;
  /** Whether the call changes data. */
  readonly isChange?: boolean;
  /** The record that it changes, if any. */
  readonly record?: string;
}

/** Limits concurrency: a few calls run at a time, a bounded number waits, all others are rejected at once. */
export interface Admission {
  /** Whether a call would be rejected at once, with so many about to enter. Counts it as rejected if so. */
  rejects(ask: AdmissionRequest, entering?: number): boolean;
  /**
   * Resolves when the call may start, with a function to call at its end. Throws Unavailable if it waited too long or
   * too many are waiting.
   */
  enter(ask: AdmissionRequest): Promise<() => void>;
  counts(): AdmissionCounts;
}

interface WaitingCall extends AdmissionRequest {
  /** Its places in the line and in that of its lane when it came, from 1, and when that was. */
  readonly position: number;
  readonly placeInLane: number;
  readonly queuedAt: number;
  readonly timer: NodeJS.Timeout;
  begin(): void;
}

/** The share of one more call in the averages of those that waited. */
const waitWeight = 1 / 50;
/** Lanes whose pace is known at a time: callers choose the paths. */
const maxLanes = 100;

/** How quickly a line moves: the places of calls that started lately when they came, and how long they waited. */
class Pace {
  private position = 1;

  /** With milliseconds per place to start with. */
  constructor(private wait: number) {}

  note(queuePosition: number, wait: number): void {
    this.position += (queuePosition - this.position) * waitWeight;
    this.wait += (wait - this.wait) * waitWeight;
  }

  /** How many calls start within so many milliseconds. */
  startsWithin(time: number): number {
    return (time * this.position) / this.wait;
  }
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

  countOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string, change: 1 | -1): void {
    const count = this.countOf(name) + change;
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
  const runningCounts = new Counts();
  const waitingCounts = new Counts();
  const changeCounts = new Counts();
  const waitingFor = new Counts();
  const starter = createTaskStarter(1);
  const queue: WaitingCall[] = [];
  let [total, refusedCount, expired] = [0, 0, 0];
  // A program that has just started is slow: its first line is short.
  const pace = new Pace((4 * limits.targetWait) / limits.waiting);
  const lanePaces = new LRUCache<string, Pace>({ max: maxLanes });

  const reservedSlots = new Map([
    [sessionLane, limits.reserved],
    [signInLane, limits.reserved - 1],
  ]);
  const hasSlot = ({ lane: laneName, record }: AdmissionRequest) =>
    (record === undefined || changeCounts.countOf(record) < limits.perRecord) &&
    (runningCounts.countOf(laneName) < limits.perLane || total < limits.running - limits.spare) &&
    total < limits.running + (reservedSlots.get(laneName) ?? 0);
  /** How many calls may wait, in all and in a lane: as many as would start in time. */
  const length = () => Math.min(limits.waiting, Math.max(4 * limits.running, pace.startsWithin(limits.targetWait)));
  const lengthOf = (laneName: string) => {
    const share = (length() * limits.waitingPerLane) / limits.waiting;
    const inTime = lanePaces.get(laneName)?.startsWithin(limits.targetWait) ?? share;
    return Math.min(share, Math.max(limits.perLane, inTime));
  };
  const isFull = ({ lane: laneName, record }: AdmissionRequest) =>
    waitingCounts.countOf(laneName) >= lengthOf(laneName) ||
    (record !== undefined && waitingFor.countOf(record) >= limits.waitingPerRecord) ||
    (queue.length >= length() && !reservedSlots.has(laneName));
  const countWaiting = ({ lane: laneName, record }: AdmissionRequest, change: 1 | -1) => {
    waitingCounts.add(laneName, change);
    if (record !== undefined) waitingFor.add(record, change);
  };

  function begin({ lane: laneName, record }: AdmissionRequest): () => void {
    runningCounts.add(laneName, 1);
    if (record !== undefined) changeCounts.add(record, 1);
    total++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      runningCounts.add(laneName, -1);
      if (record !== undefined) changeCounts.add(record, -1);
      total--;
      next();
    };
  }

  function next(): void {
    for (let index = 0; index < queue.length && total < limits.running + limits.reserved;) {
      const first = itemAt(queue, index);
      if (!hasSlot(first)) index++;
      else {
        remove(first);
        noteWait(first, true);
        first.begin();
      }
    }
  }

  function remove(call: WaitingCall): void {
    queue.splice(queue.indexOf(call), 1);
    countWaiting(call, -1);
    clearTimeout(call.timer);
  }

  /** Notes how long a call waited. One that waited in vain may have done so for its lane, and says nothing of others. */
  function noteWait(
    { lane: laneName, position: queuePosition, placeInLane, queuedAt, record }: WaitingCall,
    hasStarted: boolean,
  ): void {
    // Changes may have waited for others of their record only.
    if (record !== undefined) return;
    const wait = performance.now() - queuedAt;
    if (hasStarted) pace.note(queuePosition, wait);
    const ofLane = lanePaces.get(laneName) ?? new Pace(wait / placeInLane);
    ofLane.note(placeInLane, wait);
    lanePaces.set(laneName, ofLane);
  }

  const busyError = () => new Unavailable(busyMessage, 'UNAVAILABLE', busyRetryAfter);

  return {
    rejects(ask, enteringCount = 0) {
      const isRejected = enteringCount >= length() || (!hasSlot(ask) && isFull(ask));
      if (isRejected) refusedCount++;
      return isRejected;
    },
    async enter(ask) {
      if (hasSlot(ask)) return begin(ask);
      if (isFull(ask)) {
        refusedCount++;
        throw busyError();
      }
      return new Promise((resolve, fail) => {
        const expire = () => {
          remove(call);
          noteWait(call, false);
          expired++;
          fail(busyError());
        };
        const call: WaitingCall = {
          ...ask,
          position: queue.length + 1,
          placeInLane: waitingCounts.countOf(ask.lane) + 1,
          queuedAt: performance.now(),
          timer: setTimeout(expire, ask.isChange ? limits.changeTimeout : limits.readTimeout),
          begin() {
            const leave = begin(ask);
            starter.start(() => resolve(leave));
          },
        };
        queue.push(call);
        countWaiting(ask, 1);
      });
    },
    counts: () => ({ running: total, waiting: queue.length, rejected: refusedCount, expired }),
  };
}

/** The limits for a pool with so many connections: a few are left for sign-in and background work. */
export function limitsForPool(connections: number): AdmissionLimits {
  const slotCount = Math.max(2, connections - 6);
  return {
    running: slotCount,
    perLane: Math.max(1, Math.ceil(slotCount / 2)),
    spare: Math.max(1, Math.ceil(slotCount / 4)),
    reserved: 3,
    perRecord: Math.max(1, Math.floor(slotCount / 4)),
    // Waiting calls are served within their patience: a shorter queue would reject calls that could be served in time.
    waiting: slotCount * 24,
    waitingPerLane: slotCount * 16,
    waitingPerRecord: slotCount * 4,
    targetWait: 1_000,
    readTimeout: 2_000,
    changeTimeout: 6_000,
  };
}
