import type { Migration } from './migration';

/**
 * A user's mappings of headings and values, for the next file with the same headings; `site_id` 0 is the
 * installation's. Replaces `import_mappings`, which only servers of an older version still read.
 */
export const importMemories: Migration = {
  name: '0029-import-memories',
  sql: `
    create table assay.import_memories (
      user_id integer not null,
      site_id integer not null,
      resource text not null,
      headings bytea not null,
      mapping jsonb not null,
      meanings jsonb not null,
      at timestamptz(3) not null default now(),
      primary key (user_id, site_id, resource, headings)
    );
  `,
};
