import type { Migration } from './migration';

/**
 * The versions of the program and its definitions that ran on this database, in the order of their first start, and the
 * servers that run them. The one that owns the tables is the one with the latest `owned_at`.
 */
export const releases: Migration = {
  name: '0102-releases',
  sql: `create table assay.releases (
      number integer generated always as identity primary key,
      fingerprint text not null unique,
      shipped jsonb not null,
      owned_at timestamptz not null default clock_timestamp());
    create table assay.servers (
      id uuid primary key,
      release integer not null references assay.releases,
      since timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now());`,
};
