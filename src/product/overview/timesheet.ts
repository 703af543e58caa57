import { daysOfMonth, shortMonthNames } from '../../engine/formats/dates';
import { parseId } from '../../engine/field-types/relation';
import { parseHours } from '../../engine/field-types/duration';
import type { RequestContext } from '../../server/access/request-context';
import { BadRequest } from '../../server/errors/errors';
import { listRecords } from '../../server/records/list';
import { quoteValue } from '../../server/records/query/values';

type Query = Readonly<Record<string, unknown>>;

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

const filterNames = ['client_id', 'user_id', 'project_id'] as const;

/**
 * `GET timesheet?month&client_id&user_id&project_id`: the logs of a month that the caller can list, with totals in
 * decimal hours; the caller's own without `user_id`, everybody's with `user_id=all`. Throws Refused without the grant,
 * BadRequest with the name of the wrong parameter.
 */
export async function loadTimesheet(context: RequestContext, query: Query) {
  const { month, ...others } = query;
  const days = typeof month === 'string' ? daysOfMonth(month) : undefined;
  if (typeof month !== 'string' || !days)
    throw new BadRequest(`month must be a month such as 2026-11, not ${quoteValue(month)}.`);
  const unknown = Object.keys(others).find((name) => !filterNames.some((one) => one === name));
  if (unknown !== undefined)
    throw new BadRequest(`Unknown filter ${quoteValue(unknown).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  const filter: Record<string, unknown> = {
    user_id: context.actor.id,
    date: { $gte: days.first, $lte: days.last },
  };
  for (const name of filterNames)
    if (others[name] !== undefined && !isAll(name, others[name])) filter[name] = parseFilterId(name, others[name]);
  if (isAll('user_id', others.user_id)) delete filter.user_id;
  const { records } = await listRecords(context, context.registry.getOrThrow('time-logs'), {
    filter: JSON.stringify(filter),
    sort_by: 'date',
  });
  const logs = (records as unknown as readonly TimeLog[])
    .map(toResponse)
    .sort((one, other) => one.start.localeCompare(other.start) || one.id - other.id);
  const minutes = new Map<string, number>();
  for (const { date, total_duration } of logs)
    minutes.set(date, (minutes.get(date) ?? 0) + (parseHours(total_duration) ?? 0));
  return {
    month,
    label: `${shortMonthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`,
    total: hours([...minutes.values()].reduce((sum, one) => sum + one, 0)),
    days: [...minutes].map(([date, one]) => ({ date, total: hours(one) })),
    logs,
  };
}

const isAll = (name: string, value: unknown) => name === 'user_id' && value === 'all';

function parseFilterId(name: string, value: unknown): number {
  const id = typeof value === 'string' ? parseId(value) : undefined;
  if (id === undefined) throw new BadRequest(`${name} must be an id, not ${quoteValue(value)}.`);
  return id;
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
