import type { Migration } from './migration';

/**
 * Who did what, when and from where. Without foreign keys, so that entries outlive the records they name. Entries are
 * added and never changed; only `forget_security_log` deletes them, and none younger than a day.
 */
export const securityLog: Migration = {
  name: '0017-security-log',
  sql: `
    create table assay.security_log (
      id integer generated always as identity primary key,
      at timestamptz(3) not null default now(),
      event text not null,
      user_id integer,
      viewed_id integer,
      site_id integer,
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
  `,
};
