import type { Migration } from './migration';

/** Outgoing mails, the codes that some of them contain, and the addresses confirmed by such a code. */
export const mail: Migration = {
  name: '0004-mail',
  sql: `
    create table assay.mails (
      id bigint generated always as identity primary key,
      occasion text not null,
      about jsonb not null,
      attempts integer not null default 0,
      last_error text,
      created_at timestamptz(3) not null default now(),
      next_at timestamptz(3) not null default now()
    );
    create index mails_next_at on assay.mails (next_at, id);

    create table assay.codes (
      user_id integer not null,
      purpose text not null,
      hash bytea not null unique,
      expires_at timestamptz(3) not null,
      primary key (user_id, purpose)
    );

    create table assay.confirmed_addresses (
      user_id integer primary key,
      email text not null,
      confirmed_at timestamptz(3) not null default now()
    );
  `,
};
