import type { Migration } from './migration';

/**
 * Calculates with the calendars of companies, whose tables follow their definition later: bodies of functions are read when
 * they are called. No calendar (null) means Monday to Friday from 9:00 to 17:00.
 */
export const workingTimes: Migration = {
  name: '0116-working-times',
  sql: `
    create or replace function assay.calendar_zone(calendar bigint, company_zone text) returns text language plpgsql stable as $$
    declare
      zone text := coalesce((select c.time_zone from public.calendars c where c.id = calendar), company_zone, 'UTC');
    begin
      perform now() at time zone zone;
      return zone;
    exception when invalid_parameter_value then
      return 'UTC';
    end $$;

    create or replace function assay.working_weekdays(calendar bigint) returns integer[] language plpgsql stable as $$
    begin
      if calendar is null then
        return array[1, 2, 3, 4, 5];
      end if;
      return array(select distinct array_position(
          array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], h.weekday::text)
        from public.calendars__hours h where h.parent_id = calendar);
    end $$;

    create or replace function assay.working_spans(calendar bigint, zone text, working_day date)
    returns table (begins timestamptz, ends timestamptz) language plpgsql stable as $$
    begin
      if calendar is null then
        return query select (working_day + time '09:00') at time zone zone, (working_day + time '17:00') at time zone zone
          where extract(isodow from working_day) < 6;
        return;
      end if;
      if exists (select from public.calendars__holidays o where o.parent_id = calendar and o.day = working_day) then
        return;
      end if;
      -- Clocks that go forward can leave out the beginning of a span, whose end must not come before it.
      return query select lower(span), upper(span) from (
          select unnest(range_agg(tstzrange(one.begins, greatest(one.begins, one.ends)))) as span from (
            select (working_day + h.begins_at::time) at time zone zone as begins,
              (working_day + h.ends_at::time) at time zone zone as ends
            from public.calendars__hours h where h.parent_id = calendar and h.weekday::text =
              (array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[extract(isodow from working_day)::integer]
          ) one) merged
        order by 1;
    end $$;

    create or replace function assay.add_working_hours(start timestamptz, hours numeric, calendar bigint, company_zone text)
    returns timestamptz language plpgsql stable as $$
    declare
      zone text;
      working_day date;
      rest numeric := trunc(abs(hours) * 3600000);
      length numeric;
      span record;
    begin
      -- Three years of days are looked through at most.
      if start is null or hours is null or rest > 1100 * 86400000::numeric or assay.working_weekdays(calendar) = '{}' then
        return null;
      end if;
      zone := assay.calendar_zone(calendar, company_zone);
      working_day := (start at time zone zone)::date;
      for step in 0 .. 1100 loop
        if hours >= 0 then
          for span in select s.begins, s.ends from assay.working_spans(calendar, zone, working_day) s where s.ends > start order by 1 loop
            length := extract(epoch from span.ends - greatest(span.begins, start)) * 1000;
            if rest <= length then
              return greatest(span.begins, start) + make_interval(secs => (rest / 1000)::double precision);
            end if;
            rest := rest - length;
          end loop;
        else
          for span in select s.begins, s.ends from assay.working_spans(calendar, zone, working_day) s where s.begins < start order by 1 desc loop
            length := extract(epoch from least(span.ends, start) - span.begins) * 1000;
            if rest <= length then
              return least(span.ends, start) - make_interval(secs => (rest / 1000)::double precision);
            end if;
            rest := rest - length;
          end loop;
        end if;
        working_day := working_day + case when hours >= 0 then 1 else -1 end;
      end loop;
      return null;
    end $$;

    create or replace function assay.working_days(first_day date, last_day date, calendar bigint)
    returns numeric language plpgsql stable as $$
    declare
      weekdays integer[] := assay.working_weekdays(calendar);
      -- A Monday, from which weeks are counted.
      monday date := date '0001-01-01';
    begin
      if first_day is null or last_day is null then
        return null;
      end if;
      if last_day < first_day then
        return 0;
      end if;
      return (select coalesce(sum(floor((last_day - monday - w + 1) / 7::numeric) - floor((first_day - monday - w) / 7::numeric)), 0)
          from unnest(weekdays) w)
        - (case when calendar is null then 0 else (select count(distinct o.day) from public.calendars__holidays o
          where o.parent_id = calendar and o.day between first_day and last_day
            and extract(isodow from o.day)::integer = any(weekdays)) end);
    end $$;
  `,
};
