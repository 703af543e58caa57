/** Limits concurrent long-running work by key. */
export class SlotLimiter<Key = number> {
  private readonly slots = new Map<Key, number>();
  private all = 0;

  /** At most `most` of one key at a time, and `total` of all keys. */
  constructor(
    private readonly most: number,
    private readonly total = Infinity,
  ) {}

  /** Takes a slot and returns a function that releases it; undefined if none is free. Releasing twice does no harm. */
  acquire(key: Key): (() => void) | undefined {
    const now = this.slots.get(key) ?? 0;
    if (now >= this.most || this.all >= this.total) return undefined;
    this.slots.set(key, now + 1);
    this.all++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.all--;
      const left = this.slots.get(key)! - 1;
      if (left === 0) this.slots.delete(key);
      else this.slots.set(key, left);
    };
  }

  /** The number of slots in use by a key. */
  inUse(key: Key): number {
    return this.slots.get(key) ?? 0;
  }
}
