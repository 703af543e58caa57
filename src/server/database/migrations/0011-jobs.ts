import type { Migration } from './migration';

/**
 * Background jobs: what to do, how far it is committed, which server runs it until when, and the rows that imports
 * rejected until their file is written.
 */
export const jobs: Migration = {
  name: '0011-jobs',
  sql: `
    create table assay.jobs (
      id bigint generated always as identity primary key,
      kind text not null,
      title text not null,
      site_id integer,
      user_id integer not null,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
      input jsonb not null,
      place jsonb,
      done integer not null default 0,
      total integer,
      result jsonb,
      message text,
      attempts integer not null default 0,
      repeatable boolean not null default true,
      cancel_wanted boolean not null default false,
      holder uuid,
      lease_until timestamptz(3),
      next_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3)
    );
    create index jobs_open on assay.jobs (next_at, id) where state in ('waiting', 'running');
    create index jobs_of_company on assay.jobs (site_id, id);
    create index jobs_of_user on assay.jobs (user_id, id);
    create index jobs_finished on assay.jobs (finished_at) where finished_at is not null;

    create table assay.import_failures (
      job_id bigint not null references assay.jobs (id) on delete cascade,
      place integer not null,
      failures jsonb not null,
      primary key (job_id, place)
    );
  `,
};
