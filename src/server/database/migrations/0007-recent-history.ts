import type { Migration } from './migration';

/** Index on recent history by resource, for dashboards. */
export const recentHistory: Migration = {
  name: '0007-recent-history',
  sql: `create index history_resource_created_at on assay.history (resource, created_at);`,
};
