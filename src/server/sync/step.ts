export type StepKind =
  | 'renameTable'
  | 'renameColumn'
  | 'createTable'
  | 'addColumn'
  | 'changeType'
  | 'dropColumn'
  | 'dropTable'
  | 'dropForeignKey'
  | 'dropIndex'
  | 'dropSearch'
  | 'storeSearch'
  | 'addForeignKey'
  | 'createIndex';

/** One step that brings tables to their definitions. */
export interface Step {
  readonly kind: StepKind;
  /** The resource whose table it changes. */
  readonly resource: string;
  /** What it does, in words. */
  readonly text: string;
  readonly sql: string;
  /** Stored values may be lost, or stand against it: never done unasked. */
  readonly destructive: boolean;
  /** How many stored rows it touches, or stand against it; left out where that is not known. */
  readonly rows?: number;
  /** The first ids of those that stand against it, where somebody wants to see them. */
  readonly records?: readonly number[];
  /** The tables, as they are called before any step, that nobody else may use meanwhile. */
  readonly locks: readonly string[];
  /** The whole table is written again, and not to be read meanwhile. */
  readonly rewrites?: true;
  /** Left to be done afterwards, while the table is in use. */
  readonly later?: true;
  /** What it is about: `field`, or the columns of an index. */
  readonly columns: readonly string[];
}

/** Whether the rows that stand against a step forbid it, whatever somebody agrees to. */
export function isForbidden({ kind, destructive }: { kind: string; destructive: boolean }): boolean {
  return destructive && (kind === 'createIndex' || kind === 'addForeignKey');
}
