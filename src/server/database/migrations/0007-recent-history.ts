import type { Migration } from './migration';

/** What changed lately, resource by resource: figures count by it. */
export const recentHistory: Migration = {
  name: '0007-recent-history',
  sql: `create index history_resource_created_at on assay.history (resource, created_at);`,
};
