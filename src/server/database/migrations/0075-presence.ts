import type { Migration } from './migration';

/** Who is at which record now, by their event stream; what was not seen for a minute counts no more. */
export const presence: Migration = {
  name: '0075-presence',
  sql: `
    create table assay.presence (
      user_id integer not null,
      stream text not null,
      resource text not null,
      record_id integer not null,
      site_id integer,
      seen_at timestamptz not null default now(),
      primary key (user_id, stream)
    );
    create index presence_resource on assay.presence (resource, seen_at);
  `,
};
