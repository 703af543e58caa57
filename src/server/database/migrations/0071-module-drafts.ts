import type { Migration } from './migration';

/**
 * Changes of definitions that are not published yet: one draft for each module and user. Definitions are texts, because
 * the order of their keys counts.
 */
export const moduleDrafts: Migration = {
  name: '0071-module-drafts',
  sql: `
    create table assay.module_drafts (
      name text not null,
      user_id integer not null,
      base_version integer not null,
      base text not null,
      source text not null,
      text text not null,
      purge text[] not null,
      takes_shipped boolean not null,
      revision integer not null,
      updated_at timestamptz(3) not null default now(),
      primary key (name, user_id)
    );
  `,
};
