import { LRUCache } from 'lru-cache';
import type { WorkAccount } from '../requests/current-request';
import { shareOf } from '../requests/work-time';

/** The part of the machine's time that the calls of one account may take while those of others are in progress. */
const fairShare = 0.5;
/** How long a call waits at most, in milliseconds, and how often calls are looked at of which none can start. */
const patience = 5_000;
const interval = 25;
/** Accounts that are known at a time; the least recently active is dropped first. */
const maxAccounts = 50_000;

interface WaitingCall {
  readonly account: WorkAccount;
  readonly until: number;
  start(): void;
  refuse(): void;
}

/**
 * Gives everybody their share of the time of this process: who took more than half of it lately waits while calls of
 * others are in progress. A single caller never waits.
 */
export class FairShares {
  private readonly accounts = new LRUCache<number | string, WorkAccount>({ max: maxAccounts });
  private readonly inProgress = new Map<WorkAccount | undefined, number>();
  private total = 0;
  private waiting: WaitingCall[] = [];
  private isLooking = false;

  /** The account of a key. */
  accountOf(key: number | string): WorkAccount {
    let account = this.accounts.get(key);
    if (!account) this.accounts.set(key, (account = { work: 0, at: 0 }));
    return account;
  }

  /**
   * Admits a call at once, or after others; without an account it never waits. Resolves with a function to call at its
   * end; undefined if it waited too long.
   */
  enter(account: WorkAccount | undefined): (() => void) | Promise<(() => void) | undefined> {
    if (!account || !this.mustWait(account)) return this.start(account);
    return new Promise((resolve) => {
      this.waiting.push({
        account,
        until: performance.now() + patience,
        start: () => resolve(this.start(account)),
        refuse: () => resolve(undefined),
      });
      this.lookAfter(false);
    });
  }

  private mustWait(account: WorkAccount): boolean {
    return this.total > (this.inProgress.get(account) ?? 0) && shareOf(account) > fairShare;
  }

  private start(account: WorkAccount | undefined): () => void {
    const count = (change: number) => {
      const left = (this.inProgress.get(account) ?? 0) + change;
      if (left === 0) this.inProgress.delete(account);
      else this.inProgress.set(account, left);
      this.total += change;
    };
    count(1);
    let isOver = false;
    return () => {
      if (!isOver) count(-1);
      isOver = true;
    };
  }

  /** Looks at the calls that wait: in the next turn of the event loop after one has started, otherwise later. */
  private lookAfter(hasStarted: boolean): void {
    if (this.isLooking || this.waiting.length === 0) return;
    this.isLooking = true;
    const look = () => {
      this.isLooking = false;
      this.lookAfter(this.startOne());
    };
    if (hasStarted) setImmediate(look);
    else setTimeout(look, interval);
  }

  /** Starts the first call that need not wait any more, and refuses those that waited too long. */
  private startOne(): boolean {
    const now = performance.now();
    let hasStarted = false;
    this.waiting = this.waiting.filter((call) => {
      if (!hasStarted && !this.mustWait(call.account)) {
        hasStarted = true;
        call.start();
        return false;
      }
      if (call.until <= now) call.refuse();
      return call.until > now;
    });
    return hasStarted;
  }
}
