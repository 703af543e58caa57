import type { Migration } from './migration';

/**
 * Definitions changed or created while the program ran, and every text that was ever active. Stored as text because
 * jsonb does not keep the order of keys. Authors are stored by name too: users may leave.
 */
export const modules: Migration = {
  name: '0008-modules',
  sql: `
    create table assay.modules (
      name text primary key,
      origin text not null check (origin in ('shipped', 'custom')),
      source text,
      base text,
      retired_at timestamptz(3),
      version integer not null
    );

    create table assay.module_versions (
      name text not null references assay.modules (name) on delete cascade,
      version integer not null,
      source text not null,
      event text not null check (event in ('shipped', 'published', 'restored', 'merged', 'returned', 'retired')),
      user_id integer,
      user_name text,
      created_at timestamptz(3) not null default now(),
      primary key (name, version)
    );
  `,
};
