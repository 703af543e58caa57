import type { Migration } from './migration';

/**
 * What was deleted lately, so that whoever deleted it can bring it back: each deletion of a record, the rows that went
 * with it or lost their reference, and its files, which stay stored as long.
 */
export const deletions: Migration = {
  name: '0087-deletions',
  sql: `
    create table assay.deletions (
      id integer generated always as identity primary key,
      resource text not null,
      record_id integer not null,
      site_id integer,
      user_id integer not null,
      created_at timestamptz(3) not null default now()
    );
    create index deletions_record on assay.deletions (resource, record_id);
    create index deletions_age on assay.deletions (created_at);
    create table assay.deleted_rows (
      deletion_id integer not null references assay.deletions on delete cascade,
      source text not null,
      part text not null,
      row jsonb not null
    );
    create index deleted_rows_deletion on assay.deleted_rows (deletion_id);
    create table assay.deleted_files (
      key text primary key,
      deletion_id integer not null references assay.deletions on delete cascade
    );
    create index deleted_files_deletion on assay.deleted_files (deletion_id);
  `,
};
