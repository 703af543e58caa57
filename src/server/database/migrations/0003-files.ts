import type { Migration } from './migration';

/** Stored files: the field that each belongs to, and how it is served. */
export const files: Migration = {
  name: '0003-files',
  sql: `
    create table assay.files (
      key text primary key,
      resource text not null,
      field text not null,
      name text not null,
      type text not null,
      size integer not null,
      created_at timestamptz(3) not null default now()
    );
  `,
};
