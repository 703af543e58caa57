/** Limits concurrent long-running work by key. */
export class Places<Key = number> {
  private readonly taken = new Map<Key, number>();
  private all = 0;

  /** At most `most` of one key at a time, and `total` of all keys. */
  constructor(
    private readonly most: number,
    private readonly total = Infinity,
  ) {}

  /** Takes a slot and returns a function that releases it; undefined if none is free. Releasing twice does no harm. */
  enter(key: Key): (() => void) | undefined {
    const now = this.taken.get(key) ?? 0;
    if (now >= this.most || this.all >= this.total) return undefined;
    this.taken.set(key, now + 1);
    this.all++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.all--;
      const left = this.taken.get(key)! - 1;
      if (left === 0) this.taken.delete(key);
      else this.taken.set(key, left);
    };
  }

  /** The number of slots in use by a key. */
  of(key: Key): number {
    return this.taken.get(key) ?? 0;
  }
}
