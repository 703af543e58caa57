import type { Migration } from './migration';

/** The engine's own tables; those of resources follow their definitions. */
export const engineTables: Migration = {
  name: '0001-engine-tables',
  sql: `
    create extension if not exists pg_trgm;

    create table assay.tokens (
      id bigint generated always as identity primary key,
      user_id integer not null,
      hash bytea not null unique,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      agent text
    );
    create index tokens_user_id on assay.tokens (user_id);

    create table assay.attempts (
      key text not null,
      at timestamptz(3) not null default now()
    );
    create index attempts_key_at on assay.attempts (key, at);

    create table assay.grants (
      role_id integer not null,
      module text not null,
      action text not null check (action in ('list', 'view', 'create', 'edit', 'delete')),
      primary key (role_id, module, action)
    );

    create table assay.seeded_modules (
      module text primary key,
      seeded_at timestamptz(3) not null default now()
    );

    create table assay.shipped_rows (
      resource text not null,
      record_id integer not null,
      protected boolean not null,
      primary key (resource, record_id)
    );

    create table assay.history (
      id bigint generated always as identity primary key,
      resource text not null,
      record_id integer not null,
      event text not null,
      old_values jsonb,
      new_values jsonb,
      user_id integer,
      created_at timestamptz(3) not null default now()
    );
    create index history_record on assay.history (resource, record_id, id desc);

    create table assay.grid_configurations (
      user_id integer not null,
      name text not null,
      configuration jsonb not null,
      primary key (user_id, name)
    );

    create table assay.meta (
      key text primary key,
      value jsonb not null
    );
  `,
};
