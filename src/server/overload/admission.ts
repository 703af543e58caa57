import { Unavailable } from '../errors/errors';

/** How much is let in at once. */
export interface AdmissionLimits {
  /** Calls that are carried out at once, and of these those of one lane. */
  readonly running: number;
  readonly ofOneLane: number;
  /** Places beside them for calls of the first lane alone: sign-in. */
  readonly reserved: number;
  /** Calls that wait, and of these those of one lane. */
  readonly waiting: number;
  readonly waitingOfOneLane: number;
  /** Milliseconds that a call waits at most. */
  readonly patience: number;
}

export interface AdmissionFigures {
  readonly running: number;
  readonly waiting: number;
  /** Since the start: calls that were refused at once, and calls that had waited in vain. */
  readonly refused: number;
  readonly expired: number;
}

/** Lets calls in: a few at a time, a bounded number waits, all others are refused at once. */
export interface Admission {
  /** Whether a call would be refused at once. Counts it as refused where it would. */
  refuses(lane: string): boolean;
  /** Resolves when the call may begin, with what ends it. Throws Unavailable where it waited too long or too many wait. */
  enter(lane: string): Promise<() => void>;
  figures(): AdmissionFigures;
}

interface Waiting {
  readonly lane: string;
  readonly until: number;
  begin(): void;
  fail(): void;
}

/** The lane with places of its own: what somebody needs to sign in, and to know who they are. */
export const signInLane = 'sign-in';

export const refusal = 'The server is busy at the moment. Nothing was begun; please try again in a moment.';
/** Seconds. */
export const retryAfter = 2;

/**
 * Opens an admission. Calls are told apart by lanes (one a resource), so that calls which wait for the same table, or a
 * crowd at one screen, leave places to all others. Waiting calls begin in the order in which they came, but for those
 * whose lane is full.
 */
export function openAdmission(limits: AdmissionLimits): Admission {
  const running = new Map<string, number>();
  const waitingOf = new Map<string, number>();
  let queue: Waiting[] = [];
  let [total, refused, expired] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;

  const of = (counts: ReadonlyMap<string, number>, lane: string) => counts.get(lane) ?? 0;
  const add = (counts: Map<string, number>, lane: string, change: number) => {
    const count = of(counts, lane) + change;
    if (count > 0) counts.set(lane, count);
    else counts.delete(lane);
  };
  const hasPlace = (lane: string) =>
    of(running, lane) < limits.ofOneLane && total < limits.running + (lane === signInLane ? limits.reserved : 0);
  const isFull = (lane: string) =>
    of(waitingOf, lane) >= limits.waitingOfOneLane || (queue.length >= limits.waiting && lane !== signInLane);

  function begin(lane: string): () => void {
    add(running, lane, 1);
    total++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      add(running, lane, -1);
      total--;
      next();
    };
  }

  function next(): void {
    for (let index = 0; index < queue.length;) {
      const first = queue[index]!;
      if (!hasPlace(first.lane)) index++;
      else {
        queue.splice(index, 1);
        add(waitingOf, first.lane, -1);
        first.begin();
      }
      if (total >= limits.running + limits.reserved) return;
    }
  }

  /** All wait equally long, so that those who came first expire first. */
  function expire(): void {
    timer = undefined;
    const now = performance.now();
    const late = queue.findIndex(({ until }) => until > now);
    const over = late < 0 ? queue : queue.slice(0, late);
    queue = late < 0 ? [] : queue.slice(late);
    expired += over.length;
    for (const one of over) {
      add(waitingOf, one.lane, -1);
      one.fail();
    }
    watch();
  }

  function watch(): void {
    if (timer || queue.length === 0) return;
    timer = setTimeout(expire, Math.max(1, queue[0]!.until - performance.now())).unref();
  }

  return {
    refuses(lane) {
      const is = !hasPlace(lane) && isFull(lane);
      if (is) refused++;
      return is;
    },
    async enter(lane) {
      if (hasPlace(lane)) return begin(lane);
      if (isFull(lane)) {
        refused++;
        throw new Unavailable(refusal, 'UNAVAILABLE', retryAfter);
      }
      return new Promise((done, fail) => {
        queue.push({
          lane,
          until: performance.now() + limits.patience,
          begin: () => done(begin(lane)),
          fail: () => fail(new Unavailable(refusal, 'UNAVAILABLE', retryAfter)),
        });
        add(waitingOf, lane, 1);
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
    reserved: 3,
    waiting: running * 12,
    waitingOfOneLane: running * 8,
    patience: 2_000,
  };
}
