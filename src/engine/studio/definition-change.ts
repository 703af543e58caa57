/** One difference between two versions of a definition. */
export interface DefinitionChange {
  readonly kind: 'added' | 'changed' | 'removed';
  /** JSON pointer: into the newer version, or into the older one for something removed. */
  readonly path: string;
  /** The part that changed, as shown to users: `build_url`, `column build_url`, `titles`, `delete`. */
  readonly subject: string;
  /** A description such as `decimals 1 → 2`; empty if the kind is enough. */
  readonly text: string;
}
