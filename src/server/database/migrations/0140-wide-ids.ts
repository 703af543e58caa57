import { workingTimes } from './0116-working-times';
import type { Migration } from './migration';

/**
 * Gives databases of the time when ids had 32 bits ids of 64; later ones are created with these. The tables of resources
 * follow by their definitions.
 */
export const wideIds: Migration = {
  name: '0140-wide-ids',
  sql: `
    do $$
    declare
      changes text[] := array(
        select format('alter table assay.%I %s', c.relname, string_agg(format('alter column %I type bigint%s', a.attname,
            case when a.atttypid = 'integer[]'::regtype then '[]' else '' end), ', '))
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'assay'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
          and a.atttypid in ('integer'::regtype, 'integer[]'::regtype)
          and (a.attname in ('id', 'requested_by', 'deleted_by', 'new_people_role', 'changed_by', 'replay_of', 'scope', 'mentioned')
            or a.attname ~ '_id$' or (c.relname, a.attname) in (('releases', 'number'), ('servers', 'release')))
        group by c.relname);
      -- PostgreSQL changes no column that a view reads. These are its own, in the form of resources.
      views text[] := array(select format('create view public.%I as %s', v.relname, pg_get_viewdef(v.oid))
        from pg_class v where v.oid in ('public.security_log'::regclass, 'public.automation_runs'::regclass, 'public.webhook_deliveries'::regclass));
      foreign_views text := (select string_agg(distinct v.oid::regclass::text, ', ') from pg_class v
        join pg_rewrite r on r.ev_class = v.oid join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        join pg_class c on c.oid = d.refobjid and c.relkind in ('r', 'v')
        where v.relkind in ('v', 'm') and c.oid <> v.oid and c.relnamespace in ('assay'::regnamespace, 'public'::regnamespace)
          and v.oid not in ('public.security_log'::regclass, 'public.automation_runs'::regclass, 'public.webhook_deliveries'::regclass));
      step text;
    begin
      if cardinality(changes) = 0 then
        return;
      end if;
      if foreign_views is not null then
        raise exception 'The columns of ids become bigint, and PostgreSQL changes no column that a view reads. Drop these views, start again, and create them anew: %', foreign_views;
      end if;
      drop view public.security_log, public.automation_runs, public.webhook_deliveries;
      foreach step in array changes || views loop
        execute step;
      end loop;
      drop function if exists assay.calendar_zone(integer, text), assay.working_weekdays(integer),
        assay.working_spans(integer, text, date), assay.add_working_hours(timestamptz, numeric, integer, text),
        assay.working_days(date, date, integer);
    end $$;
    ${workingTimes.sql}
  `,
};
