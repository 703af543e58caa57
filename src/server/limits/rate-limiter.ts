import { LRUCache } from 'lru-cache';

interface Bucket {
  tokens: number;
  updatedAt: number;
}

/** Users whose calls are counted at a time; the least recently active is dropped first. */
const maxUsers = 50_000;

/** A token bucket per user: bursts up to a minute's worth of calls, refilled at the same rate. */
export class RateLimiter {
  private readonly buckets = new LRUCache<number, Bucket>({ max: maxUsers });

  /** 0: no limit. */
  constructor(readonly perMinute: number) {}

  /** Counts a call. Returns 0, or the seconds until the next one is accepted. `now` in milliseconds. */
  take(key: number, now = Date.now()): number {
    if (this.perMinute === 0) return 0;
    const bucket = this.buckets.get(key) ?? { tokens: this.perMinute, updatedAt: now };
    const back = (Math.max(0, now - bucket.updatedAt) * this.perMinute) / 60_000;
    const left = Math.min(this.perMinute, bucket.tokens + back);
    const isTaken = left >= 1;
    this.buckets.set(key, { tokens: isTaken ? left - 1 : left, updatedAt: now });
    return isTaken ? 0 : ((1 - left) * 60) / this.perMinute;
  }
}
