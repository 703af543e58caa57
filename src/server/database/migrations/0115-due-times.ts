import type { Migration } from './migration';

/** Which times of which records started an automation, as long as they could be made up for. */
export const dueTimes: Migration = {
  name: '0115-due-times',
  sql: `create table assay.automation_due_times (
    resource text not null,
    automation text not null,
    record_id bigint not null,
    value timestamptz(3) not null,
    due_at timestamptz(3) not null,
    primary key (resource, automation, record_id, value)
  );`,
};
