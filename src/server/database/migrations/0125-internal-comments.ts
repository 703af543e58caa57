import type { Migration } from './migration';

/** Whether a comment is for those alone whom `comments.internal` of its definition names. */
export const internalComments: Migration = {
  name: '0125-internal-comments',
  sql: `alter table assay.comments add column internal boolean not null default false;`,
};
