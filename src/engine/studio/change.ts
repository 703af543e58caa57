/** One difference between two versions of a definition. */
export interface Change {
  readonly kind: 'added' | 'changed' | 'removed';
  /** JSON pointer: into the newer version, or into the older one for what was removed. */
  readonly path: string;
  /** What it is about, as people say it: `build_url`, `column build_url`, `titles`, `delete`. */
  readonly subject: string;
  /** In words, such as `decimals 1 → 2`; empty where the kind says enough. */
  readonly text: string;
}
