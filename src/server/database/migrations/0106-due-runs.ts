import type { Migration } from './migration';

/** When a run was due that is made up for; and runs of schedules that were refused before any record was looked at. */
export const dueRuns: Migration = {
  name: '0106-due-runs',
  sql: `alter table assay.automation_runs add column due_at timestamptz(3), alter column record_id drop not null;`,
};
