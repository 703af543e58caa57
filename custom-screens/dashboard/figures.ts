/** An option of a chart; without an id it represents the records that have no value. */
interface Option {
  readonly id: number | null;
  readonly option_name: string;
}

export type CountName =
  | 'active'
  | 'total'
  | 'passed'
  | 'failed'
  | 'open'
  | 'completed'
  | 'recently_updated'
  | 'upcoming_deadlines'
  | 'assigned_to_me'
  | 'recently_created'
  | 'recently_completed';

/** Counts of one resource. Counts that the user's level does not see are undefined. */
export type Counts = Readonly<Partial<Record<CountName, number>>>;

export interface StatusCount extends Option {
  readonly count: number;
}
export interface PriorityCounts extends Option {
  readonly passed: number;
  readonly failed: number;
}
export interface TaskStatusCounts extends Option {
  readonly priorities: readonly (Option & { readonly count: number })[];
}

/** The figures of the dashboard: a block for each resource that the user may list. */
export interface DashboardFigures {
  readonly projects?: Counts & { readonly by_status: readonly StatusCount[] };
  readonly test_cases?: Counts & { readonly by_priority: readonly PriorityCounts[] };
  readonly tasks?: Counts & { readonly by_status: readonly TaskStatusCounts[] };
  /** The tests of open runs that are assigned to the user. */
  readonly tests?: { readonly open: number; readonly due: number; readonly failed: number };
  readonly workload?: { readonly open_tasks?: number; readonly open_test_cases?: number };
}

/** The number of open tasks that end on a day. */
export interface DeadlineCount {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly count: number;
}

/** An open task in the list of a day. */
export interface DueTask {
  readonly id: number;
  readonly name: string;
  readonly status: string | null;
}

/** The resources that the figures are counted from. */
export const countedResources = ['projects', 'test-cases', 'tasks'] as const;
