import type { Migration } from './migration';

/** The engine's own tables; those of resources follow their definitions. */
export const baseline: Migration = {
  name: '0001-baseline',
  sql: `
    create extension if not exists pg_trgm;

    create table assay.tokens (
      id bigint generated always as identity primary key,
      user_id bigint not null,
      hash bytea not null unique,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      agent text,
      expires_at timestamptz(3),
      former_hash bytea,
      former_expires_at timestamptz(3),
      renewal_family bytea,
      renewal_hash bytea,
      former_renewal_hash bytea,
      renewed_at timestamptz(3),
      proven_at timestamptz(3) default now(),
      method text
    );
    create index tokens_user_id on assay.tokens (user_id);

    create table assay.attempts (
      key text not null,
      at timestamptz(3) not null default now()
    );
    create index attempts_key_at on assay.attempts (key, at);

    create table assay.grants (
      role_id bigint not null,
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
      record_id bigint not null,
      protected boolean not null,
      primary key (resource, record_id)
    );

    create table assay.history (
      id bigint generated always as identity primary key,
      resource text not null,
      record_id bigint not null,
      event text not null,
      old_values jsonb,
      new_values jsonb,
      user_id bigint,
      created_at timestamptz(3) not null default now(),
      restored_version integer
    );
    create index history_record on assay.history (resource, record_id, id desc);

    create table assay.grid_configurations (
      user_id bigint not null,
      name text not null,
      configuration jsonb not null default '[]',
      first_view text,
      primary key (user_id, name)
    );

    create table assay.meta (
      key text primary key,
      value jsonb not null
    );

    -- Notifications, one row per recipient.
    create table assay.notifications (
      id bigint generated always as identity primary key,
      user_id bigint not null,
      title text not null,
      content text,
      link text,
      created_at timestamptz(3) not null default now(),
      read_at timestamptz(3),
      occasion text,
      in_digest boolean not null default false,
      changes_from bigint,
      changed_by bigint,
      made_in xid8 default pg_current_xact_id(),
      comment_id bigint
    );
    create index notifications_user_id on assay.notifications (user_id, created_at desc, id desc);

    -- Stored files: the field that each belongs to, and how it is served.
    create table assay.files (
      key text primary key,
      resource text not null,
      field text not null,
      name text not null,
      type text not null,
      size integer not null,
      created_at timestamptz(3) not null default now(),
      site_id bigint,
      user_id bigint,
      is_waiting boolean not null default false
    );

    -- Outgoing mails, the codes that some of them contain, and the addresses confirmed by such a code.
    create table assay.mails (
      id bigint generated always as identity primary key,
      occasion text not null,
      about jsonb not null,
      attempts integer not null default 0,
      last_error text,
      created_at timestamptz(3) not null default now(),
      next_at timestamptz(3) not null default now(),
      failed_at timestamptz(3),
      retried_at timestamptz(3),
      reason text
    );
    create index mails_next_at on assay.mails (next_at, id);

    create table assay.codes (
      user_id bigint not null,
      purpose text not null,
      hash bytea not null unique,
      expires_at timestamptz(3) not null,
      primary key (user_id, purpose)
    );

    create table assay.confirmed_addresses (
      user_id bigint primary key,
      email text not null,
      confirmed_at timestamptz(3) not null default now()
    );

    -- Sent deadline reminders, so that nobody is reminded of the same day twice; and an index on notifications by
    -- record.
    create table assay.told_deadlines (
      resource text not null,
      record_id bigint not null,
      user_id bigint not null,
      day date not null,
      primary key (resource, record_id, user_id, day)
    );
    create index notifications_link on assay.notifications (link) where link is not null;
    create index history_resource_created_at on assay.history (resource, created_at);

    -- Definitions changed or created while the program ran, and every text that was ever active. Stored as text
    -- because jsonb does not keep the order of keys. Authors are stored by name too: users may leave.
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
      user_id bigint,
      user_name text,
      created_at timestamptz(3) not null default now(),
      note text,
      primary key (name, version)
    );
    create index files_site_id on assay.files (site_id) include (size);
    create index files_user_id on assay.files (user_id) include (size);
    create index files_resource on assay.files (resource, field, created_at);

    -- Background jobs: what to do, how far it is committed, which server runs it until when, and the rows that
    -- imports rejected until their file is written.
    create table assay.jobs (
      id bigint generated always as identity primary key,
      kind text not null,
      title text not null,
      site_id bigint,
      user_id bigint not null,
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

    -- Responses to requests with an 'Idempotency-Key', by user, for as long as they may be repeated.
    create table assay.idempotency_keys (
      user_id bigint not null,
      key text not null,
      fingerprint bytea not null,
      status smallint,
      answer text,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, key)
    );
    create index idempotency_keys_created_at on assay.idempotency_keys (created_at);

    -- Failed sign-ins of an account from all networks together, and the networks that somebody has signed in from.
    -- Keys are hashes: neither email nor network addresses are stored.
    create table assay.sign_in_guards (
      key text primary key,
      failures integer not null,
      last_at timestamptz(3) not null,
      noticed_at timestamptz(3)
    );
    create index sign_in_guards_last_at on assay.sign_in_guards (last_at);

    create table assay.known_networks (
      key text not null,
      network text not null,
      last_at timestamptz(3) not null,
      primary key (key, network)
    );
    create index known_networks_last_at on assay.known_networks (last_at);

    -- New email addresses of accounts that still have to be confirmed by a code.
    create table assay.address_changes (
      user_id bigint primary key,
      email text not null,
      requested_by bigint not null,
      requested_at timestamptz(3) not null default now()
    );

    -- Who did what, when and from where. Without foreign keys, so that entries outlive the records they name.
    -- Entries are added and never changed; only 'forget_security_log' deletes them, and none younger than a day.
    create table assay.security_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default now(),
      event text not null,
      user_id bigint,
      viewed_id bigint,
      site_id bigint,
      resource text,
      record_id text,
      subject text,
      detail jsonb,
      address text,
      agent text,
      request_id text,
      times integer not null default 1
    );
    create index security_log_at on assay.security_log (at, id);
    create index security_log_site_at on assay.security_log (site_id, at, id);
    create index security_log_user_at on assay.security_log (user_id, at, id);
    create index security_log_event_at on assay.security_log (event, at, id);

    create function assay.keep_security_log() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('assay.forgets_security_log', true) = 'on'
        and old.at < now() - interval '1 day' then
        return old;
      end if;
      raise exception 'The security log is append-only.' using errcode = 'insufficient_privilege';
    end $$;
    create trigger security_log_rows before update or delete on assay.security_log
      for each row execute function assay.keep_security_log();
    create trigger security_log_truncate before truncate on assay.security_log
      for each statement execute function assay.keep_security_log();

    create function assay.forget_security_log(before timestamptz, at_most integer) returns integer language plpgsql as $$
    declare gone integer;
    begin
      perform set_config('assay.forgets_security_log', 'on', true);
      delete from assay.security_log where id in (
        select id from assay.security_log where at < before order by at, id limit at_most);
      get diagnostics gone = row_count;
      perform set_config('assay.forgets_security_log', 'off', true);
      return gone;
    end $$;

    create view public.security_log as
      select id, site_id, user_id as created_by, null::bigint as updated_by, at as created_at, at as updated_at,
        event, viewed_id, subject, resource, record_id, times, address, agent, request_id, detail
      from assay.security_log;
    create index tokens_former_hash on assay.tokens (former_hash) where former_hash is not null;
    create unique index tokens_renewal_family on assay.tokens (renewal_family) where renewal_family is not null;

    -- Second factors. Authenticator secrets are encrypted, recovery codes and challenges hashed. 'pending_*' is an
    -- authenticator being set up; 'last_step' the last one that was used.
    create table assay.authenticators (
      user_id bigint primary key,
      secret bytea,
      confirmed_at timestamptz(3),
      last_step bigint,
      pending_secret bytea,
      pending_at timestamptz(3)
    );

    create table assay.recovery_codes (
      user_id bigint not null,
      hash bytea not null,
      used_at timestamptz(3),
      primary key (user_id, hash)
    );

    create table assay.passkeys (
      id bigint generated always as identity primary key,
      user_id bigint not null,
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
      user_id bigint,
      tries integer not null default 0,
      expires_at timestamptz(3) not null,
      first_method text
    );
    create index challenges_expires_at on assay.challenges (expires_at);

    create table assay.trusted_devices (
      hash bytea primary key,
      user_id bigint not null,
      expires_at timestamptz(3) not null
    );
    create index trusted_devices_user_id on assay.trusted_devices (user_id);
    create index history_created_at on assay.history (created_at, id);
    create index notifications_created_at on assay.notifications (created_at, id);

    -- Single sign-on: a company's provider, its verified email domains, which identity at a provider (0: the
    -- installation's) belongs to which account, and sign-ins in progress, of which only hashes are stored. Sessions
    -- remember how they started.
    create table assay.identity_providers (
      id bigint generated always as identity primary key,
      site_id bigint not null unique,
      name text not null,
      issuer text not null,
      client_id text not null,
      client_secret bytea,
      trusts_second_factor boolean not null default false,
      new_people_role bigint,
      local_closed boolean not null default false,
      connected_at timestamptz(3) not null,
      changed_at timestamptz(3) not null,
      trusts_addresses boolean not null default false
    );

    create table assay.identity_domains (
      id bigint generated always as identity primary key,
      site_id bigint not null,
      domain text not null,
      token text not null,
      proven_at timestamptz(3),
      proven_by text,
      unique (site_id, domain)
    );
    create unique index identity_domains_proven on assay.identity_domains (domain) where proven_at is not null;

    create table assay.identities (
      provider_id bigint not null,
      issuer text not null,
      subject text not null,
      user_id bigint not null,
      email text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      primary key (provider_id, issuer, subject)
    );
    create unique index identities_user on assay.identities (user_id, provider_id, issuer);

    create table assay.sign_on_flows (
      hash bytea primary key,
      browser bytea not null,
      provider_id bigint not null,
      issuer text not null,
      purpose text not null,
      sign_in_id bigint,
      begun_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3)
    );
    create index sign_on_flows_expires_at on assay.sign_on_flows (expires_at);
    create index security_log_search on assay.security_log using gin ((lower((coalesce(subject, '') || E'\\n' ||
      coalesce(resource, '') || E'\\n' || coalesce(record_id, '') || E'\\n' || coalesce(address, '') || E'\\n' ||
      coalesce(agent, '') || E'\\n' || coalesce(request_id, '')) collate "und-x-icu")) gin_trgm_ops);
    alter index assay.security_log_search alter column 1 set statistics 1000;
    create index security_log_address_at on assay.security_log (address, at, id);
    create index security_log_record_at on assay.security_log (resource, record_id, at, id);
    create index security_log_viewed_at on assay.security_log (viewed_id, at, id) where viewed_id is not null;

    -- A user's mappings of headings and values, for the next file with the same headings; 'site_id' 0 is the
    -- installation's.
    create table assay.import_memories (
      user_id bigint not null,
      site_id bigint not null,
      resource text not null,
      headings bytea not null,
      mapping jsonb not null,
      meanings jsonb not null,
      at timestamptz(3) not null default now(),
      primary key (user_id, site_id, resource, headings)
    );

    -- The last number that each sequence gave; 'scope' is the id of what its numbers belong to, or 0.
    create table assay.sequences (
      resource text not null,
      field text not null,
      scope bigint not null,
      last bigint not null,
      primary key (resource, field, scope)
    );

    -- Runs of automations, webhooks with their deliveries, and how far schedules are.
    create table assay.automation_runs (
      id bigint generated always as identity primary key,
      site_id bigint,
      resource text not null,
      automation text not null,
      label text not null,
      record_id bigint,
      subject text,
      trigger text not null,
      reason text not null,
      depth smallint not null,
      as_whom text not null,
      user_id bigint,
      snapshot jsonb,
      state text not null,
      attempts integer not null default 0,
      next_at timestamptz(3) not null default now(),
      steps jsonb,
      message text,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      due_at timestamptz(3)
    );
    create index automation_runs_waiting on assay.automation_runs (next_at) where state = 'waiting';
    create index automation_runs_created on assay.automation_runs (created_at);
    create index automation_runs_record on assay.automation_runs (resource, record_id);

    create view public.automation_runs as
      select id, site_id, user_id as created_by, null::bigint as updated_by, created_at,
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
      webhook_id bigint primary key,
      secret bytea not null,
      created_at timestamptz(3) not null default now()
    );

    create table assay.webhook_deliveries (
      id bigint generated always as identity primary key,
      message_id text not null,
      site_id bigint,
      webhook_id bigint not null,
      run_id bigint,
      replay_of bigint,
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
      user_id bigint,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3)
    );
    create index webhook_deliveries_waiting on assay.webhook_deliveries (next_at) where state = 'waiting';
    create index webhook_deliveries_created on assay.webhook_deliveries (created_at);

    create view public.webhook_deliveries as
      select id, site_id, user_id as created_by, null::bigint as updated_by, created_at,
        coalesce(attempted_at, created_at) as updated_at, message_id, webhook_id, run_id, type, url, body, state, attempts,
        next_at, attempted_at, milliseconds, status, answer, message
      from assay.webhook_deliveries;

    -- The secrets of service accounts, and the user in whose name each acts: what it writes refers to a user as
    -- everything else does. These users count as deleted, so that nobody can choose, assign or invite them.
    create table assay.service_accounts (
      service_account_id bigint primary key,
      user_id bigint not null unique,
      hash bytea unique
    );

    -- When periodic work is due, whichever server does it.
    create table assay.periodic_work (
      name text primary key,
      next_at timestamptz not null
    );

    -- Changes of definitions that are not published yet: one draft for each module and user. Definitions are texts,
    -- because the order of their keys counts.
    create table assay.module_drafts (
      name text not null,
      user_id bigint not null,
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

    -- Who is at which record now, by their event stream; what was not seen for a minute counts no more.
    create table assay.presence (
      user_id bigint not null,
      stream text not null,
      resource text not null,
      record_id bigint not null,
      site_id bigint,
      seen_at timestamptz not null default now(),
      editing boolean not null default false,
      primary key (user_id, stream)
    );
    create index presence_resource on assay.presence (resource, seen_at);

    -- What people say about records, what they said before they changed it, and who watches which record.
    create table assay.comments (
      id bigint generated always as identity primary key,
      resource text not null,
      record_id bigint not null,
      site_id bigint,
      user_id bigint not null,
      text text not null,
      mentioned bigint[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      edited_at timestamptz(3),
      deleted_at timestamptz(3),
      deleted_by bigint,
      files jsonb not null default '[]'
    );
    create index comments_record on assay.comments (resource, record_id, id) where deleted_at is null;
    create index comments_user on assay.comments (user_id);
    create index comments_deleted on assay.comments (deleted_at) where deleted_at is not null;

    create table assay.comment_versions (
      comment_id bigint not null references assay.comments on delete cascade,
      version integer not null,
      text text not null,
      written_at timestamptz(3) not null,
      primary key (comment_id, version)
    );

    create table assay.watches (
      resource text not null,
      record_id bigint not null,
      user_id bigint not null,
      state text not null,
      since timestamptz(3) not null default now(),
      primary key (resource, record_id, user_id)
    );
    create index watches_user on assay.watches (user_id);

    -- The grants to which service accounts are limited, beside what their roles allow.
    create table assay.service_scopes (
      service_account_id bigint not null,
      module text not null,
      action text not null,
      primary key (service_account_id, module, action)
    );

    -- What was deleted lately, so that whoever deleted it can bring it back: each deletion of a record, the rows
    -- that went with it or lost their reference, and its files, which stay stored as long.
    create table assay.deletions (
      id bigint generated always as identity primary key,
      resource text not null,
      record_id bigint not null,
      site_id bigint,
      user_id bigint not null,
      created_at timestamptz(3) not null default now()
    );
    create index deletions_record on assay.deletions (resource, record_id);
    create index deletions_age on assay.deletions (created_at);

    create table assay.deleted_rows (
      deletion_id bigint not null references assay.deletions on delete cascade,
      source text not null,
      part text not null,
      row jsonb not null
    );
    create index deleted_rows_deletion on assay.deleted_rows (deletion_id);

    create table assay.deleted_files (
      key text primary key,
      deletion_id bigint not null references assay.deletions on delete cascade
    );
    create index deleted_files_deletion on assay.deleted_files (deletion_id);

    -- How each person wants to read dates and numbers, and how close lists and forms are; who chose nothing has no
    -- row.
    create table assay.user_preferences (
      user_id bigint primary key,
      formats text,
      week_start smallint,
      density text,
      time_zone text
    );

    -- The records of a company that were created as a sample, so that they can be removed again in one step.
    create table assay.sample_records (
      id bigint generated always as identity primary key,
      site_id bigint not null,
      resource text not null,
      record_id bigint not null
    );
    create index sample_records_site on assay.sample_records (site_id);

    -- The timer of each user: what it is for, and since when it runs.
    create table assay.timers (
      user_id bigint primary key,
      resource text not null,
      record_id bigint not null,
      started_at timestamptz(3) not null
    );

    -- How each person wants to be told of what, and when their digest comes: 'digested_on' is the local day of the
    -- last one that was due. A notification that waits for a digest is marked.
    create table assay.notice_choices (
      user_id bigint primary key,
      channels jsonb not null default '{}',
      digest_hour smallint not null default 8,
      digest_day smallint,
      digested_on date
    );
    create index notifications_in_digest on assay.notifications (user_id) where in_digest and read_at is null;

    -- Changes of records that somebody watches, until those who watch them are told: which entry of the history, and
    -- in which transaction. Every way to change a record adds to the history, so the history notes them, with one
    -- look into an index for each entry. A notification that tells of changes says since which entry and whose; and
    -- each says in which transaction it was made, so that nobody is told twice of one change.
    create table assay.watched_changes (
      history_id bigint primary key,
      made_in xid8 not null default pg_current_xact_id()
    );

    create function assay.note_watched_changes() returns trigger language plpgsql as $$
    begin
      insert into assay.watched_changes (history_id)
        select n.id from added n where n.event not in ('created', 'deleted') and exists (
          select from assay.watches w
          where w.resource = n.resource and w.record_id = n.record_id and w.state = 'watching')
        on conflict do nothing;
      return null;
    end $$;
    create trigger note_watched_changes after insert on assay.history referencing new table as added
      for each statement execute function assay.note_watched_changes();

    -- The versions of the program and its definitions that ran on this database, in the order of their first start,
    -- and the servers that run them. The one that owns the tables is the one with the latest 'owned_at'.
    create table assay.releases (
      number bigint generated always as identity primary key,
      fingerprint text not null unique,
      shipped jsonb not null,
      owned_at timestamptz not null default clock_timestamp());

    create table assay.servers (
      id uuid primary key,
      release bigint not null references assay.releases,
      since timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now());
  `,
};
