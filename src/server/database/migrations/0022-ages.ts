import type { Migration } from './migration';

/** Indexes for finding the oldest history and notifications, which are deleted after some time. */
export const ages: Migration = {
  name: '0022-ages',
  sql: `
    create index history_created_at on assay.history (created_at, id);
    create index notifications_created_at on assay.notifications (created_at, id);
  `,
};
