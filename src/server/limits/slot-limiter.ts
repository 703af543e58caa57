import { getOrThrow } from '../../engine/values/lookups';
/** Limits what is in use at a time, by key: slots for long-running work, or bytes of memory. */
export class SlotLimiter<Key = number> {
  private readonly slots = new Map<Key, number>();
  private usedSlots = 0;

  /** At most `maxSlots` of one key at a time, and `total` of all keys. */
  constructor(
    private readonly maxSlots: number,
    private readonly total = Infinity,
  ) {}

  /**
   * Takes a slot, or so many, and returns a function that releases them; undefined if they are not free. Releasing twice
   * does no harm.
   */
  acquire(key: Key, count = 1): (() => void) | undefined {
    const now = this.slots.get(key) ?? 0;
    if (now + count > this.maxSlots || this.usedSlots + count > this.total) return undefined;
    this.slots.set(key, now + count);
    this.usedSlots += count;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.usedSlots -= count;
      const left = getOrThrow(this.slots, key) - count;
      if (left === 0) this.slots.delete(key);
      else this.slots.set(key, left);
    };
  }

  /** The number of slots in use by a key. */
  inUse(key: Key): number {
    return this.slots.get(key) ?? 0;
  }
}
