import type { Migration } from './migration';

/** What people say about records, what they said before they changed it, and who watches which record. */
export const comments: Migration = {
  name: '0081-comments',
  sql: `
    create table assay.comments (
      id integer generated always as identity primary key,
      resource text not null,
      record_id integer not null,
      site_id integer,
      user_id integer not null,
      text text not null,
      mentioned integer[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      edited_at timestamptz(3),
      deleted_at timestamptz(3),
      deleted_by integer
    );
    create index comments_record on assay.comments (resource, record_id, id) where deleted_at is null;
    create index comments_user on assay.comments (user_id);
    create index comments_deleted on assay.comments (deleted_at) where deleted_at is not null;
    create table assay.comment_versions (
      comment_id integer not null references assay.comments on delete cascade,
      version integer not null,
      text text not null,
      written_at timestamptz(3) not null,
      primary key (comment_id, version)
    );
    create table assay.watches (
      resource text not null,
      record_id integer not null,
      user_id integer not null,
      state text not null,
      since timestamptz(3) not null default now(),
      primary key (resource, record_id, user_id)
    );
    create index watches_user on assay.watches (user_id);
  `,
};
