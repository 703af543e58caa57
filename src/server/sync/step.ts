export type StepKind =
  | 'renameTable' | 'renameColumn' | 'createTable' | 'addColumn' | 'changeType'
  | 'dropForeignKey' | 'dropIndex' | 'addForeignKey' | 'createIndex'; // prettier-ignore

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
  /** How many stored rows it touches, or stand against it. */
  readonly rows?: number;
}
