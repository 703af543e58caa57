import type { Migration } from './migration';

/**
 * Second factors. Authenticator secrets are encrypted, recovery codes and challenges hashed. `pending_*` is an
 * authenticator being set up; `last_step` the last one that was used.
 */
export const secondFactor: Migration = {
  name: '0020-second-factor',
  sql: `
    create table assay.authenticators (
      user_id integer primary key,
      secret bytea,
      confirmed_at timestamptz(3),
      last_step bigint,
      pending_secret bytea,
      pending_at timestamptz(3)
    );

    create table assay.recovery_codes (
      user_id integer not null,
      hash bytea not null,
      used_at timestamptz(3),
      primary key (user_id, hash)
    );

    create table assay.passkeys (
      id bigint generated always as identity primary key,
      user_id integer not null,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3)
    );
    create index passkeys_user_id on assay.passkeys (user_id);

    create table assay.challenges (
      hash bytea primary key,
      kind text not null,
      user_id integer,
      tries integer not null default 0,
      expires_at timestamptz(3) not null
    );
    create index challenges_expires_at on assay.challenges (expires_at);

    create table assay.trusted_devices (
      hash bytea primary key,
      user_id integer not null,
      expires_at timestamptz(3) not null
    );
    create index trusted_devices_user_id on assay.trusted_devices (user_id);
  `,
};
