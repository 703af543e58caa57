export type StepKind =
  | 'renameTable'
  | 'renameColumn'
  | 'renameValues'
  | 'createTable'
  | 'addColumn'
  | 'changeType'
  | 'dropColumn'
  | 'dropTable'
  | 'dropForeignKey'
  | 'dropIndex'
  | 'dropSearch'
  | 'storeSearch'
  | 'numberRows'
  | 'pinRows'
  | 'changeKey'
  | 'addForeignKey'
  | 'createIndex';

/** One step of changing tables to match their definitions. */
export interface Step {
  readonly kind: StepKind;
  /** The resource whose table it changes. */
  readonly resource: string;
  /** Describes the step to users. */
  readonly text: string;
  readonly sql: string;
  /** Stored values may be lost or violate it: never done without confirmation. */
  readonly destructive: boolean;
  /** The column that keeps the former values, of a destructive change of a type. */
  readonly keptColumn?: string;
  /** The values that do not fit could not be counted in time: `rows` are those that have a value. */
  readonly uncounted?: true;
  /** How many stored rows it affects, or violate it; left out if unknown. */
  readonly rows?: number;
  /** The first ids of rows that violate it, if requested. */
  readonly records?: readonly number[];
  /** The tables to lock, by their names before any step. */
  readonly locks: readonly string[];
  /** The whole table is rewritten and can't be read meanwhile. */
  readonly rewritesTable?: true;
  /** Done in the background later, while the table is in use. */
  readonly inBackground?: true;
  /** The columns concerned: a field's, or those of an index. */
  readonly columns: readonly string[];
  /**
   * Before any step: the table whose key an added foreign key refers to, or that a step on its key changes; of what is
   * dropped, its name.
   */
  readonly target?: string;
  /** An added foreign key refers to the key with the company. */
  readonly ofCompany?: boolean;
  /** The field whose rows are in the table that it changes; then its columns are those of the rows. */
  readonly rowsField?: string;
}

/** Whether rows that violate a step forbid it, even with confirmation. */
export function isForbidden({ kind, destructive }: { kind: string; destructive: boolean }): boolean {
  return destructive && (kind === 'createIndex' || kind === 'addForeignKey' || kind === 'changeKey');
}
