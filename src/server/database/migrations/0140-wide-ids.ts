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
      -- PostgreSQL changes no column that a view reads.
      views text[] := array(select format('create view %s as %s', v.oid::regclass, pg_get_viewdef(v.oid))
        from pg_class v where v.relkind = 'v' and v.relnamespace in ('assay'::regnamespace, 'public'::regnamespace) order by v.oid);
      drops text[] := array(select format('drop view %s', v.oid::regclass)
        from pg_class v where v.relkind = 'v' and v.relnamespace in ('assay'::regnamespace, 'public'::regnamespace) order by v.oid desc);
      step text;
    begin
      if cardinality(changes) = 0 then
        return;
      end if;
      foreach step in array drops || changes || views loop
        execute step;
      end loop;
      drop function if exists assay.calendar_zone(integer, text), assay.working_weekdays(integer),
        assay.working_spans(integer, text, date), assay.add_working_hours(timestamptz, numeric, integer, text),
        assay.working_days(date, date, integer);
    end $$;
    ${workingTimes.sql}
  `,
};
