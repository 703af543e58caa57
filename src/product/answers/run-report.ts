import type { RunFigures } from './run-figures';

/** A run to be read by those who have no account: names only. */
export interface RunReport extends Omit<RunFigures, 'failures' | 'burndown' | 'forecast_at' | 'timed'> {
  readonly key: string | null;
  readonly name: string;
  readonly state: string;
  readonly project: string | null;
  readonly milestone: string | null;
  readonly configurations: readonly string[];
  readonly branch: string | null;
  readonly commit: string | null;
  readonly closed_at: string | null;
  /** Who gave results. */
  readonly people: readonly string[];
  readonly failed: readonly FailedTest[];
  /** How many failures there are; the report has the first. */
  readonly failed_total: number;
  /** When the report was made. */
  readonly made_at: string;
  /** Of the run as it is now: the SHA-256 of what `describeState` says. */
  readonly fingerprint: string;
  /** Who signed it off. */
  readonly stamps: readonly Stamp[];
}

/** A failed test in a report. */
export interface FailedTest {
  readonly key: string | null;
  readonly name: string;
  readonly message: string | null;
  readonly defect: string | null;
  readonly is_new: boolean;
  /** The files of its latest attempt. */
  readonly evidence: readonly ReportedFile[];
}

/** The name of a file, and the number of the step at which it was seen; null: it belongs to the whole test. */
export interface ReportedFile {
  readonly name: string;
  readonly step: number | null;
}

/** Who signed a run off, and whether it is still as it was then. */
export interface Stamp {
  /** Null: the account was deleted. */
  readonly name: string | null;
  readonly at: string;
  readonly fingerprint: string;
  readonly comment: string | null;
  readonly is_current: boolean;
}
