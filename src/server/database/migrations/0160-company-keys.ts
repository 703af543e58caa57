import type { Migration } from './migration';

/** Rows about records get the company of the record, 0 if it has none. A module's table has the name of the module. */
const fromRecords = (table: string) => `
    do $$
    declare
      module record;
    begin
      for module in
        select distinct x.resource, c.oid::regclass::text as source from assay.${table} x
          join pg_class c on c.relnamespace = 'public'::regnamespace and c.relname = replace(x.resource, '-', '_')
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped
      loop
        execute format('update assay.${table} x set site_id = t.site_id from %s t
          where x.resource = %L and x.record_id = t.id and t.site_id is not null', module.source, module.resource);
      end loop;
    end $$;`;

/** Rows of people get the company of the person. */
const fromPeople = (table: string) => `
    do $$
    begin
      if to_regclass('public.users') is not null then
        update assay.${table} x set site_id = u.site_id from public.users u where u.id = x.user_id and u.site_id is not null;
      end if;
    end $$;`;

const aboutRecords = ['history', 'watches', 'told_deadlines', 'automation_due_times'];
const ofPeople = ['notifications', 'grid_configurations', 'idempotency_keys', 'timers'];
const ofOthers = ['watched_changes', 'comment_versions', 'deleted_rows', 'deleted_files'];

/** The company in the rows of everything that hangs on records and people, and in the keys; 0 where there is none. */
export const companyKeys: Migration = {
  name: '0160-company-keys',
  sql: `
    ${[...aboutRecords, ...ofPeople, ...ofOthers]
      .map((table) => `alter table assay.${table} add column site_id bigint not null default 0;`)
      .join('\n    ')}
    ${aboutRecords.map(fromRecords).join('')}
    ${ofPeople.map(fromPeople).join('')}
    update assay.comments set site_id = 0 where site_id is null;
    update assay.deletions set site_id = 0 where site_id is null or resource = 'sites';
    update assay.watched_changes c set site_id = h.site_id from assay.history h where h.id = c.history_id;
    update assay.comment_versions v set site_id = c.site_id from assay.comments c where c.id = v.comment_id;
    update assay.deleted_rows r set site_id = d.site_id from assay.deletions d where d.id = r.deletion_id;
    update assay.deleted_files f set site_id = d.site_id from assay.deletions d where d.id = f.deletion_id;
    -- Rows that a deletion can still be undone with.
    update assay.deleted_rows set row = row || jsonb_build_object('site_id', site_id)
      where source in ('assay.history', 'assay.comments', 'assay.comment_versions', 'assay.watches');
    do $$
    begin
      if to_regclass('public.users') is not null then
        update assay.deleted_rows r set row = r.row || jsonb_build_object('site_id', coalesce(u.site_id, 0))
          from public.users u where r.source = 'assay.notifications' and u.id = (r.row->>'user_id')::bigint;
      end if;
    end $$;
    ${[...aboutRecords, ...ofPeople, ...ofOthers]
      .map((table) => `alter table assay.${table} alter column site_id drop default;`)
      .join('\n    ')}
    alter table assay.comments alter column site_id set not null;
    alter table assay.deletions alter column site_id set not null;

    -- Keys of what is always read within its company begin with it.
    alter table assay.history drop constraint history_pkey, add primary key (site_id, id);
    drop index assay.history_record, assay.history_resource_created_at, assay.comments_record;
    create index history_record on assay.history (site_id, resource, record_id, id desc);
    create index history_resource_created_at on assay.history (site_id, resource, created_at);
    create index comments_record on assay.comments (site_id, resource, record_id, id) where deleted_at is null;
    alter table assay.watched_changes drop constraint watched_changes_pkey, add primary key (site_id, history_id);
    alter table assay.watches drop constraint watches_pkey, add primary key (site_id, resource, record_id, user_id);
    alter table assay.told_deadlines drop constraint told_deadlines_pkey,
      add primary key (site_id, resource, record_id, user_id, day);
    alter table assay.automation_due_times drop constraint automation_due_times_pkey,
      add primary key (site_id, resource, automation, record_id, value);
    alter table assay.public_records drop constraint public_records_pkey, add primary key (site_id, resource, record_id);
    alter table assay.sample_records drop constraint sample_records_pkey, add primary key (site_id, id);
    drop index assay.sample_records_site;
    -- Of what is found by a person or an id too, they end with it.
    alter table assay.notifications drop constraint notifications_pkey, add primary key (id, site_id);
    alter table assay.grid_configurations drop constraint grid_configurations_pkey, add primary key (user_id, name, site_id);
    alter table assay.idempotency_keys drop constraint idempotency_keys_pkey, add primary key (user_id, key, site_id);
    alter table assay.timers drop constraint timers_pkey, add primary key (user_id, site_id);
    alter table assay.comment_versions drop constraint comment_versions_comment_id_fkey,
      drop constraint comment_versions_pkey, add primary key (comment_id, version, site_id);
    alter table assay.comments drop constraint comments_pkey, add primary key (id, site_id);
    alter table assay.comment_versions add foreign key (comment_id, site_id)
      references assay.comments (id, site_id) on delete cascade;
    alter table assay.deleted_rows drop constraint deleted_rows_deletion_id_fkey;
    alter table assay.deleted_files drop constraint deleted_files_deletion_id_fkey,
      drop constraint deleted_files_pkey, add primary key (key, site_id);
    alter table assay.deletions drop constraint deletions_pkey, add primary key (id, site_id);
    alter table assay.deleted_rows add foreign key (deletion_id, site_id) references assay.deletions (id, site_id) on delete cascade;
    alter table assay.deleted_files add foreign key (deletion_id, site_id) references assay.deletions (id, site_id) on delete cascade;

    -- Who adds to the history notes what is watched: tables that are spread over servers have no triggers.
    drop trigger note_watched_changes on assay.history;
    drop function assay.note_watched_changes();
  `,
};
