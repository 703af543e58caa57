/** A time log in the timesheet's response; times are `YYYY-MM-DD HH:mm`. */
export interface TimeLog {
  readonly id: number;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly date: string;
  readonly start: string;
  readonly end: string;
  /** Hours before the point, minutes behind it. */
  readonly total_duration: string;
  readonly task: { readonly id: number; readonly name: string } | null;
  readonly comments: string | null;
  /** A warning, such as that it overlaps with another log. */
  readonly warning: string | null;
}

/** The timesheet of a month; totals in decimal hours. */
export interface TimesheetMonth {
  readonly month: string;
  /** `Nov 2026`. */
  readonly label: string;
  readonly total: number;
  /** The days with logged time. */
  readonly days: readonly { readonly date: string; readonly total: number }[];
  /** The working hours of each day of the month, by the calendar of the company. */
  readonly targets: readonly number[];
  readonly logs: readonly TimeLog[];
}
