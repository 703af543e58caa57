import type { Migration } from './migration';

/** The files that come with comments, as fields store them: a list of `{name, size, type, key}`. */
export const commentFiles: Migration = {
  name: '0085-comment-files',
  sql: `alter table assay.comments add column files jsonb not null default '[]'`,
};
