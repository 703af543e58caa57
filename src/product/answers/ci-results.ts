export type CiResultName = 'failed' | 'broken' | 'flaky';

/** A test of a run that failed, or passed only when it was repeated. */
export interface CiResult {
  readonly id: number;
  readonly name: string;
  readonly result: CiResultName;
  readonly configuration: string | null;
  readonly seconds: number | null;
  readonly test: {
    readonly id: number;
    readonly file: string | null;
    readonly suite: string | null;
    readonly parameters: string | null;
    readonly quarantined_until: string | null;
  } | null;
  readonly test_case: { readonly id: number; readonly key: string | null; readonly name: string } | null;
  /** It had not failed in the latest run of the branch before. */
  readonly is_new: boolean;
  readonly message: string | null;
  /** The cause that its message shares with others; empty without a message. */
  readonly cause: string;
}

/** The results of a build. */
export interface CiResults {
  /** The run of the same branch before; null for the first one. */
  readonly previous: { readonly id: number; readonly key: string } | null;
  readonly counts: Readonly<
    Record<'passed' | 'failed' | 'broken' | 'blocked' | 'skipped' | 'flaky' | 'not_run', number>
  >;
  /** Seconds of all tests. */
  readonly seconds: number;
  readonly results: readonly CiResult[];
}
