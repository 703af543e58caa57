import type { ResultCounts } from './results';

/** The parts of the dashboard about today, each for users who may list its records. */
export interface DashboardNow {
  readonly runs?: RunsNow;
  readonly failing?: FailingNow;
  /** Undefined too if no build was sent yet. */
  readonly build?: BuildNow;
  readonly due?: DueNow;
}

/** Active runs: how many, and those that changed last. */
export interface RunsNow {
  readonly count: number;
  readonly rows: readonly {
    readonly id: number;
    readonly key: string;
    readonly name: string;
    readonly project: string | null;
    readonly counts: ResultCounts;
  }[];
}

/** Failed tests of active runs. */
export interface FailingNow {
  readonly count: number;
  /** Those that failed since yesterday began. */
  readonly new: number;
  /** The projects with the most of them. */
  readonly projects: readonly { readonly project: string; readonly count: number }[];
  readonly oldest: { readonly name: string; readonly run_at: string } | null;
}

/** The latest build and those before it on its branch, the latest last. */
export interface BuildNow {
  readonly history: readonly {
    readonly id: number;
    readonly key: string;
    readonly created_at: string;
    readonly total: number;
    /** With those that are flaky. */
    readonly passed: number;
    readonly failed: number;
    readonly flaky: number;
  }[];
}

/** Open tasks that end within a week, or should have ended. */
export interface DueNow {
  readonly week: number;
  readonly late: number;
  readonly today: number;
  readonly tomorrow: number;
  /** The milestone that is due next. */
  readonly milestone: { readonly name: string; readonly due_on: string } | null;
}
