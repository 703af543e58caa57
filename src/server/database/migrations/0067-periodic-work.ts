import type { Migration } from './migration';

/** When periodic work is due, whichever server does it. */
export const periodicWork: Migration = {
  name: '0067-periodic-work',
  sql: `create table assay.periodic_work (
    name text primary key,
    next_at timestamptz not null
  )`,
};
