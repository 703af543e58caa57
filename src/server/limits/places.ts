/** Places for what takes long, counted by whom they are for. */
export class Places<Key = number> {
  private readonly taken = new Map<Key, number>();
  private all = 0;

  /** `most` of one key at a time, and `total` of all of them. */
  constructor(
    private readonly most: number,
    private readonly total = Infinity,
  ) {}

  /** Takes a place and answers how to leave it; undefined where none is free. Leaving twice does no harm. */
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

  /** Places that are taken by a key. */
  of(key: Key): number {
    return this.taken.get(key) ?? 0;
  }
}
