import { daysOf, months } from '../../../engine/formats/dates';
import { readId } from '../../../engine/field-types/relation';
import { readHours } from '../../../engine/field-types/duration';
import type { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import { listRecords } from '../../records/list';
import { shown } from '../../records/query/values';

type Query = Readonly<Record<string, unknown>>;

interface Log {
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

const narrows = ['client_id', 'user_id', 'project_id'] as const;

/**
 * `GET timesheet?month&client_id&user_id&project_id`: the logs of a month that the caller can list, with totals in
 * decimal hours; the caller's own without `user_id`, everybody's with `user_id=all`. Throws Refused without the grant,
 * BadRequest with the name of the wrong parameter.
 */
export async function timesheetOf(context: RequestContext, query: Query) {
  const { month, ...others } = query;
  const days = typeof month === 'string' ? daysOf(month) : undefined;
  if (typeof month !== 'string' || !days)
    throw new BadRequest(`month must be a month such as 2026-11, not ${shown(month)}.`);
  const unknown = Object.keys(others).find((name) => !narrows.some((one) => one === name));
  if (unknown !== undefined) throw new BadRequest(`Unknown filter ${shown(unknown).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  const filter: Record<string, unknown> = {
    user_id: context.actor.id,
    date: { $gte: days.first, $lte: days.last },
  };
  for (const name of narrows)
    if (others[name] !== undefined && !isAll(name, others[name])) filter[name] = readNarrow(name, others[name]);
  if (isAll('user_id', others.user_id)) delete filter.user_id;
  const { records } = await listRecords(context, context.registry.need('time-logs'), {
    filter: JSON.stringify(filter),
    sort_by: 'date',
  });
  const logs = (records as unknown as readonly Log[])
    .map(logOf)
    .sort((one, other) => one.start.localeCompare(other.start) || one.id - other.id);
  const minutes = new Map<string, number>();
  for (const { date, total_duration } of logs)
    minutes.set(date, (minutes.get(date) ?? 0) + (readHours(total_duration) ?? 0));
  return {
    month,
    label: `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`,
    total: hours([...minutes.values()].reduce((sum, one) => sum + one, 0)),
    days: [...minutes].map(([date, one]) => ({ date, total: hours(one) })),
    logs,
  };
}

const isAll = (name: string, value: unknown) => name === 'user_id' && value === 'all';

function readNarrow(name: string, value: unknown): number {
  const id = typeof value === 'string' ? readId(value) : undefined;
  if (id === undefined) throw new BadRequest(`${name} must be an id, not ${shown(value)}.`);
  return id;
}

const hours = (minutes: number) => Math.round((minutes / 60) * 100) / 100;

function logOf({ id, user, date, start, end, total_duration, task, comments, warning }: Log) {
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
