import type { ResultCounts } from '../results/results';

/** A run to be read by those who have no account: names only. */
export interface Report {
  readonly key: string | null;
  readonly name: string;
  readonly state: string;
  readonly project: string | null;
  readonly milestone: string | null;
  readonly configurations: readonly string[];
  readonly branch: string | null;
  readonly commit: string | null;
  readonly closed_at: string | null;
  readonly people: readonly string[];
  readonly total: number;
  readonly counts: ResultCounts;
  readonly pass_rate: number | null;
  readonly modules: readonly (ResultCounts & { readonly module: string | null; readonly total: number })[];
  readonly new_failures: number;
  readonly elapsed_seconds: number;
  readonly remaining_seconds: number | null;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly failed: readonly {
    readonly key: string | null;
    readonly name: string;
    readonly message: string | null;
    readonly defect: string | null;
    readonly is_new: boolean;
    /** The names of the files of its latest attempt, with the numbers of their steps. */
    readonly evidence: readonly { readonly name: string; readonly step: number | null }[];
  }[];
  readonly failed_total: number;
  readonly made_at: string;
  /** SHA-256 of the figures and attempts, in hexadecimal. */
  readonly fingerprint: string;
  readonly stamps: readonly Stamp[];
}

/** Who signed a run off; without a name if the account was deleted. */
export interface Stamp {
  readonly name: string | null;
  readonly at: string;
  readonly fingerprint: string;
  readonly comment: string | null;
  readonly is_current: boolean;
}
