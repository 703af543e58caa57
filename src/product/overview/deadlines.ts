import type { RequestContext } from '../../server/access/request-context';
import { loadMeasures } from '../../server/aggregates/measures';
import { BadRequest } from '../../server/errors/errors';
import { listRecords } from '../../server/records/read/list';
import { predicateOf } from '../../engine/conditions/match-condition';
import type { DeadlinesQuery } from './calls';
import { dayMessage } from './days';
import { taskStatus } from './status-ids';

/** A month of a calendar shows six weeks; a year is enough for every reader. */
const mostDays = 366;

/**
 * `GET dashboard/deadlines?from&to`: the number of open tasks due per day, from the caller's today on; earlier ones are
 * late and not included. Throws BadRequest.
 */
export async function deadlinesBetween(context: RequestContext, { from: startDate, to: endDate }: DeadlinesQuery) {
  if (startDate === undefined) throw new BadRequest(dayMessage('from'));
  if (endDate === undefined) throw new BadRequest(dayMessage('to'));
  if ((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 > mostDays)
    throw new BadRequest('from and to must be within one year.');
  const first = startDate > context.today ? startDate : context.today;
  const condition = predicateOf({ status_id: { $in: taskStatus.open }, end_date: { $gte: first, $lte: endDate } });
  const groups = await loadMeasures(context, context.registry.getOrThrow('tasks'), {
    groupBy: ['end_date'],
    condition,
    figures: { count: {} },
  });
  return groups
    .map(({ keys, figures }) => ({ date: keys[0] as string, count: figures.count }))
    .sort((left, right) => left.date.localeCompare(right.date));
}

/** `GET dashboard/deadlines?date`: the open tasks that end on a day, by name. */
export async function deadlinesOn(context: RequestContext, date: string) {
  const filter = JSON.stringify({ end_date: date, status_id: taskStatus.open });
  const { records } = await listRecords(context, context.registry.getOrThrow('tasks'), {
    filter,
    sort_by: 'name',
    getAll: '1',
  });
  return records.map(({ id, name, taskstatus }) => ({
    id,
    name,
    status: (taskstatus as { option_name?: string } | null)?.option_name ?? null,
  }));
}
