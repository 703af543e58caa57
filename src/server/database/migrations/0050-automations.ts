import type { Migration } from './migration';

/** Runs of automations, webhooks with their deliveries, and how far schedules are. */
export const automations: Migration = {
  name: '0050-automations',
  sql: `
    create table assay.automation_runs (
      id integer generated always as identity primary key,
      site_id integer,
      resource text not null,
      automation text not null,
      label text not null,
      record_id integer not null,
      subject text,
      trigger text not null,
      reason text not null,
      depth smallint not null,
      as_whom text not null,
      user_id integer,
      snapshot jsonb,
      state text not null,
      attempts integer not null default 0,
      next_at timestamptz(3) not null default now(),
      steps jsonb,
      message text,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3)
    );
    create index automation_runs_waiting on assay.automation_runs (next_at) where state = 'waiting';
    create index automation_runs_created on assay.automation_runs (created_at);
    create index automation_runs_record on assay.automation_runs (resource, record_id);
    create view public.automation_runs as
      select id, site_id, user_id as created_by, null::integer as updated_by, created_at,
        coalesce(finished_at, created_at) as updated_at, resource, automation, label, record_id, subject, trigger, reason,
        depth, as_whom, state, attempts, steps, message, finished_at
      from assay.automation_runs;

    create table assay.automation_schedules (
      resource text not null,
      automation text not null,
      rule text not null,
      period text not null,
      seen_at timestamptz(3) not null,
      primary key (resource, automation)
    );

    create table assay.webhook_secrets (
      webhook_id integer primary key,
      secret bytea not null,
      created_at timestamptz(3) not null default now()
    );

    create table assay.webhook_deliveries (
      id integer generated always as identity primary key,
      message_id text not null,
      site_id integer,
      webhook_id integer not null,
      run_id integer,
      replay_of integer,
      type text not null,
      url text not null,
      body text not null,
      state text not null,
      attempts integer not null default 0,
      next_at timestamptz(3),
      attempted_at timestamptz(3),
      milliseconds integer,
      status integer,
      answer text,
      message text,
      user_id integer,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3)
    );
    create index webhook_deliveries_waiting on assay.webhook_deliveries (next_at) where state = 'waiting';
    create index webhook_deliveries_created on assay.webhook_deliveries (created_at);
    create view public.webhook_deliveries as
      select id, site_id, user_id as created_by, null::integer as updated_by, created_at,
        coalesce(attempted_at, created_at) as updated_at, message_id, webhook_id, run_id, type, url, body, state, attempts,
        next_at, attempted_at, milliseconds, status, answer, message
      from assay.webhook_deliveries;
  `,
};
