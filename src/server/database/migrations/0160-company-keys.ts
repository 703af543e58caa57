import type { Migration } from './migration';

/**
 * The company of the record in its history, and in what tells of changes to those who watch it; 0 for records of no
 * company. A module's table has the name of the module.
 */
export const companyKeys: Migration = {
  name: '0160-company-keys',
  sql: `
    alter table assay.history add column site_id bigint not null default 0;
    alter table assay.watched_changes add column site_id bigint not null default 0;
    do $$
    declare
      module record;
    begin
      for module in
        select distinct h.resource, c.oid::regclass::text as source from assay.history h
          join pg_class c on c.relnamespace = 'public'::regnamespace and c.relname = replace(h.resource, '-', '_')
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped
      loop
        execute format('update assay.history h set site_id = t.site_id from %s t
          where h.resource = %L and h.record_id = t.id and t.site_id is not null', module.source, module.resource);
      end loop;
    end $$;
    update assay.watched_changes c set site_id = h.site_id from assay.history h where h.id = c.history_id;
    -- What can still be brought back of a deletion.
    update assay.deleted_rows r set row = r.row || jsonb_build_object('site_id', coalesce(
        case when d.resource <> 'sites' then d.site_id end, 0))
      from assay.deletions d where d.id = r.deletion_id and r.source = 'assay.history';
    alter table assay.history alter column site_id drop default;
    alter table assay.watched_changes alter column site_id drop default;

    alter table assay.history drop constraint history_pkey, add primary key (site_id, id);
    drop index assay.history_record, assay.history_resource_created_at;
    create index history_record on assay.history (site_id, resource, record_id, id desc);
    create index history_resource_created_at on assay.history (site_id, resource, created_at);
    alter table assay.watched_changes drop constraint watched_changes_pkey, add primary key (site_id, history_id);

    -- Notifications are their recipient's.
    alter table assay.notifications add column site_id bigint not null default 0;
    do $$
    begin
      if to_regclass('public.users') is not null then
        update assay.notifications n set site_id = u.site_id from public.users u where u.id = n.user_id and u.site_id is not null;
        update assay.deleted_rows r set row = r.row || jsonb_build_object('site_id', coalesce(u.site_id, 0))
          from public.users u where r.source = 'assay.notifications' and u.id = (r.row->>'user_id')::bigint;
      end if;
    end $$;
    alter table assay.notifications alter column site_id drop default,
      drop constraint notifications_pkey, add primary key (id, site_id);

    create or replace function assay.note_watched_changes() returns trigger language plpgsql as $$
    begin
      insert into assay.watched_changes (site_id, history_id)
        select n.site_id, n.id from added n where n.event not in ('created', 'deleted') and exists (
          select from assay.watches w
          where w.resource = n.resource and w.record_id = n.record_id and w.state = 'watching')
        on conflict do nothing;
      return null;
    end $$;
  `,
};
