import { sql } from 'kysely';
import { daysOfMonth, shortMonthNames } from '../../engine/formats/dates';
import { parseHours } from '../../engine/field-types/duration';
import type { RequestContext } from '../../server/access/request-context';
import { BadRequest } from '../../server/errors/errors';
import { listRecords } from '../../server/records/read/list';
import { wrongMonth, type TimesheetQuery } from './calls';

interface TimeLog {
  readonly id: number;
  readonly date: string;
  readonly start: string;
  readonly end: string;
  readonly total_duration: string;
  readonly comments: string | null;
  /** A warning, such as an overlap with another log. */
  readonly warning: string | null;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly task: { readonly id: number; readonly name: string } | null;
}

/**
 * `GET timesheet?month&client_id&user_id&project_id`: the logs of a month that the caller can list, with totals in
 * decimal hours, and the working hours of each day; the caller's own without `user_id`, everybody's with `user_id=all`. Throws BadRequest for what is no
 * month.
 */
export async function loadTimesheet(context: RequestContext, query: TimesheetQuery) {
  const { month, user_id: user = String(context.actor.id), ...otherFilters } = query;
  const days = daysOfMonth(month);
  if (!days) throw new BadRequest(wrongMonth);
  const filter = {
    ...(user !== 'all' && { user_id: Number(user) }),
    ...otherFilters,
    date: { $gte: days.first, $lte: days.last },
  };
  const { records } = await listRecords(context, context.registry.getOrThrow('time-logs'), {
    filter: JSON.stringify(filter),
    sort_by: 'date',
  });
  const logs = (records as unknown as readonly TimeLog[])
    .map(toResponse)
    .sort((left, right) => left.start.localeCompare(right.start) || left.id - right.id);
  const minutes = new Map<string, number>();
  for (const { date, total_duration } of logs)
    minutes.set(date, (minutes.get(date) ?? 0) + (parseHours(total_duration) ?? 0));
  return {
    month,
    label: `${shortMonthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`,
    total: hours([...minutes.values()].reduce((sum, minuteCount) => sum + minuteCount, 0)),
    days: [...minutes].map(([date, minuteCount]) => ({ date, total: hours(minuteCount) })),
    targets: await loadWorkingHours(context, days),
    logs,
  };
}

/** The working hours of each day from the first to the last, by the default calendar of the caller's company. */
async function loadWorkingHours(
  { actor, program }: RequestContext,
  { first, last }: { first: string; last: string },
): Promise<number[]> {
  // The hours by the clock, in a zone where no clock is changed.
  const { rows } = await sql<{
    hours: number;
  }>`select (select coalesce(sum(extract(epoch from span.ends - span.begins)), 0) / 3600
      from assay.working_spans((select c.id from public.calendars c where c.site_id = ${actor.site_id} and c.is_default limit 1),
        'UTC', day::date) span)::float as hours
    from generate_series(${first}::date, ${last}::date, interval '1 day') day order by day`.execute(
    program.database.kysely,
  );
  return rows.map((row) => Math.round(row.hours * 100) / 100);
}

const hours = (minutes: number) => Math.round((minutes / 60) * 100) / 100;

function toResponse({ id, user, date, start, end, total_duration, task, comments, warning }: TimeLog) {
  return {
    id,
    user: user && { id: user.id, name: user.name },
    date,
    start,
    end,
    total_duration,
    task: task && { id: task.id, name: task.name },
    comments,
    warning,
  };
}
