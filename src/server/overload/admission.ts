import { Unavailable } from '../errors/errors';

/** How much is let in at once. */
export interface AdmissionLimits {
  /** Calls that are carried out at once. */
  readonly running: number;
  /** Of these what a lane always may have, and how many a lane with more than that leaves to others. */
  readonly ofOneLane: number;
  readonly spare: number;
  /** Changes of one record. */
  readonly ofOneRecord: number;
  /** Places beside them for the lanes of sign-in and session alone; sign-in leaves one of them to the other. */
  readonly reserved: number;
  /** Calls that wait, and of these those of one lane. */
  readonly waiting: number;
  readonly waitingOfOneLane: number;
  /** Of those of one lane the changes of one record. */
  readonly waitingOfOneRecord: number;
  /** Milliseconds that a call waits at most, and one that changes something: what somebody wrote is not refused as soon. */
  readonly patience: number;
  readonly patienceOfChanges: number;
}

export interface AdmissionFigures {
  readonly running: number;
  readonly waiting: number;
  /** Since the start: calls that were refused at once, and calls that had waited in vain. */
  readonly refused: number;
  readonly expired: number;
}

/** What a call asks for. */
export interface Ask {
  readonly lane: string;
  /** Whether it changes something. */
  readonly changes?: boolean;
  /** The record that it changes, if it changes one. */
  readonly record?: string;
}

/** Lets calls in: a few at a time, a bounded number waits, all others are refused at once. */
export interface Admission {
  /** Whether a call would be refused at once. Counts it as refused where it would. */
  refuses(ask: Ask): boolean;
  /** Resolves when the call may begin, with what ends it. Throws Unavailable where it waited too long or too many wait. */
  enter(ask: Ask): Promise<() => void>;
  figures(): AdmissionFigures;
}

interface Waiting extends Ask {
  readonly until: number;
  begin(): void;
  fail(): void;
}

/**
 * The lanes with places beside the others: what somebody needs to sign in, and what somebody who has signed in needs on
 * every screen. They are two, so that a crowd of strangers at the first keeps nobody from their work.
 */
export const signInLane = 'sign-in';
export const sessionLane = 'session';

export const refusal = 'The server is busy at the moment. Nothing was begun; please try again in a moment.';
/** Seconds. */
export const retryAfter = 2;

/** How many there are of each. */
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
 * Opens an admission. Calls are told apart by lanes (one a resource), so that calls which wait for the same table, or a
 * crowd at one screen, leave places to all others; only a few changes of the same record go on at once, since the others
 * would hold a place and a connection while they wait for it. Waiting calls begin in the order in
 * which they came, but for those whose lane is full or whose record is being changed.
 */
export function openAdmission(limits: AdmissionLimits): Admission {
  const running = new Counts();
  const waiting = new Counts();
  const changing = new Counts();
  const waitingFor = new Counts();
  let queue: Waiting[] = [];
  let [total, refused, expired] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;

  const reserved = new Map([
    [sessionLane, limits.reserved],
    [signInLane, limits.reserved - 1],
  ]);
  const hasPlace = ({ lane, record }: Ask) =>
    (record === undefined || changing.of(record) < limits.ofOneRecord) &&
    (running.of(lane) < limits.ofOneLane || total < limits.running - limits.spare) &&
    total < limits.running + (reserved.get(lane) ?? 0);
  const isFull = ({ lane, record }: Ask) =>
    waiting.of(lane) >= limits.waitingOfOneLane ||
    (record !== undefined && waitingFor.of(record) >= limits.waitingOfOneRecord) ||
    (queue.length >= limits.waiting && !reserved.has(lane));
  const countWaiting = ({ lane, record }: Ask, change: 1 | -1) => {
    waiting.add(lane, change);
    if (record !== undefined) waitingFor.add(record, change);
  };

  function begin({ lane, record }: Ask): () => void {
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
      if (!hasPlace(first)) index++;
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
    refuses(ask) {
      const is = !hasPlace(ask) && isFull(ask);
      if (is) refused++;
      return is;
    },
    async enter(ask) {
      if (hasPlace(ask)) return begin(ask);
      if (isFull(ask)) {
        refused++;
        throw new Unavailable(refusal, 'UNAVAILABLE', retryAfter);
      }
      return new Promise((done, fail) => {
        queue.push({
          ...ask,
          until: performance.now() + (ask.changes ? limits.patienceOfChanges : limits.patience),
          begin: () => done(begin(ask)),
          fail: () => fail(new Unavailable(refusal, 'UNAVAILABLE', retryAfter)),
        });
        countWaiting(ask, 1);
        watch();
      });
    },
    figures: () => ({ running: total, waiting: queue.length, refused, expired }),
  };
}

/** The limits that go with a pool of so many connections: a few are left for sign-in and for what runs beside calls. */
export function limitsFor(connections: number): AdmissionLimits {
  const running = Math.max(2, connections - 6);
  return {
    running,
    ofOneLane: Math.max(1, Math.ceil(running / 2)),
    spare: Math.max(1, Math.ceil(running / 4)),
    reserved: 3,
    ofOneRecord: Math.max(1, Math.floor(running / 4)),
    // Who waits is answered within their patience: fewer places would refuse calls that are served in time.
    waiting: running * 24,
    waitingOfOneLane: running * 16,
    waitingOfOneRecord: running * 4,
    patience: 2_000,
    patienceOfChanges: 6_000,
  };
}
